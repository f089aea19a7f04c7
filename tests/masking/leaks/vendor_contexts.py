"""Texts around vendor tokens: contexts for any vendor."""

GENERIC = r"""
=== env file | en
# {+local development, do not commit+}
APP_ENV=staging
LOG_LEVEL=debug
%ENV%=%TOK%
{+CACHE_TTL=600+}
=== env file quoted | en
export %ENV%="%TOK%"
export {+NODE_ENV+}="production"
export HTTP_TIMEOUT=30
=== chat answer | en
{+Sure, this is what I found+} in #platform-help from last March: the %VENDOR% key that the nightly job uses is ~+
%TOK% ~+
and {+it was created by the data team.+}
=== slack thread | en
*{+Tom+}* 09:41
which %VENDOR% token does staging use??
*{+Priya+}* 09:43
this one: `%TOK%`, {+pls don't paste it anywhere else+} :see_no_evil:
=== docker run | en
{+Start the worker by hand+} when the queue is stuck:
docker run --rm -e %ENV%=%TOK% -p 8080:8080 {+registry.example.com/worker:1.14.2+}
=== github actions log | en
Run ./scripts/release.sh
  shell: /usr/bin/bash -e {0}
  env:
    {+NODE_VERSION: 20+}
    %ENV%: %TOK%
Error: {+Process completed with exit code 1.+}
=== python code | en
import os
import requests

%ENV% = "%TOK%"  # {+TODO: move to the vault+}

resp = requests.get(URL, headers={"Authorization": f"Bearer {%ENV%}"}, timeout=10)
{+resp.raise_for_status()+}
=== os.environ setdefault | en
# {+conftest.py+}
os.environ.setdefault("%ENV%", "%TOK%")
os.environ.setdefault("{+TZ+}", "UTC")
=== curl bearer | en
{+Works for me with curl:+}

curl -sS -H "Authorization: Bearer %TOK%" -H "Accept: application/json" \
  "https://api.example.com/v2/projects?{+per_page=50+}"
=== git diff | en
diff --git a/deploy/settings.py b/deploy/settings.py
@@ -12,7 +12,7 @@ {+class Settings:+}
-    %ENV% = "%TOK%"
+    %ENV% = os.environ["%ENV%"]
     {+RETRIES = 3+}
=== terraform tfvars | en
{+region+}        = "eu-central-1"
%LOW% = "%TOK%"
{+instance_count = 3+}
=== helm values | en
{+replicaCount: 2+}
extraEnv:
  - name: %ENV%
    value: "%TOK%"
{+service:+}
  port: 8080
=== k8s secret stringData | en
apiVersion: v1
kind: Secret
metadata:
  name: {+worker-credentials+}
stringData:
  %ENV%: %TOK%
=== json config | en
{
  "{+endpoint+}": "https://api.example.com",
  "%LOW%": "%TOK%",
  "{+retries+}": 5
}
=== javascript code | en
const client = new Client({
  {+baseUrl: 'https://api.example.com',+}
  apiKey: '%TOK%', // %VENDOR%
  {+timeoutMs: 2000,+}
});
=== java properties | en
{+server.port=8443+}
integration.%VENDORDOT%.api-key=%TOK%
{+integration.retry.max-attempts=4+}
=== go code | en
const (
	{+defaultTimeout = 5 * time.Second+}
	%CAMEL% = "%TOK%" // {+FIXME before the audit+}
)
=== powershell | en
PS C:\deploy> $env:%ENV% = "%TOK%"
PS C:\deploy> {+.\Publish-Release.ps1 -Verbose+}
VERBOSE: uploading 14 files
=== bash history | en
  {+512  cd /srv/app+}
  513  export %ENV%=%TOK%
  514  {+./bin/sync --dry-run+}
=== wiki table | en
| {+System+} | Owner | Credential | {+Rotated+} |
|---|---|---|---|
| %VENDOR% | Platform | `%TOK%` | 2025-11-03 |
| {+status page+} | Support | see vault | 2025-12-19 |
=== jira comment | en
{+Steps to reproduce:+}
# log in to the bastion
# set %ENV% to {noformat}%TOK%{noformat}
# run the importer -> {+it fails with 403+}
=== stack trace | en
Traceback (most recent call last):
  File "/app/sync.py", line 88, in <module>
    {+main()+}
  File "/app/sync.py", line 41, in main
    client = connect(token="%TOK%")
RuntimeError: {+the %VENDOR% API answered 401+}
=== app log | en
2026-01-14T06:22:10.481Z {+INFO  boot+} config loaded {%ENV%=%TOK%, {+workers=4+}}
2026-01-14T06:22:11.002Z WARN  boot {+slow start+}
=== docker compose | en
services:
  {+worker:+}
    image: registry.example.com/worker:latest
    environment:
      - {+TZ=Europe/Berlin+}
      - %ENV%=%TOK%
=== dockerfile | en
{+FROM python:3.11-slim+}
ARG BUILD_REF
ENV %ENV%=%TOK%
{+RUN pip install --no-cache-dir -r requirements.txt+}
=== toml | en
[{+integrations+}]
%LOW% = "%TOK%"
{+enabled = true+}
=== forwarded mail | en
From: {+Operations+}
Subject: FW: new %VENDOR% credentials

> Hi all,
> the old key stops working on Friday. The new one is
> %TOK%
> {+Please update your jobs by then.+}
=== onboarding page | en
## {+First week checklist+}
1. Get a laptop
2. Put the shared %VENDOR% token (`%TOK%`) into your `.env`
3. {+Ask your buddy for a tour of the monorepo+}
=== ansible vars | en
{+app_user: deploy+}
%LOW%: '%TOK%'
{+app_port: 8080+}
=== http dump | en
POST /v1/events HTTP/1.1
Host: {+api.example.com+}
X-Api-Key: %TOK%
Content-Type: application/json

{"{+event+}":"login"}
=== php code | en
<?php
return [
    '{+debug+}' => false,
    '%LOW%' => env('%ENV%', '%TOK%'),
    '{+locale+}' => 'en',
];
=== spring yaml | en
{+integrations:+}
  %VENDORDASH%:
    token: %TOK%
    {+connect-timeout: 2s+}
=== csv export | en
{+id,service,env,token,owner+}
17,%VENDOR%,prod,%TOK%,{+platform+}
=== C# code | en
services.AddHttpClient("{+reports+}", c =>
{
    c.DefaultRequestHeaders.Add("X-Api-Token", "%TOK%"); // %VENDOR%
    {+c.Timeout = TimeSpan.FromSeconds(20);+}
});
=== chat de | de
{+Hab's gerade ausprobiert:+} mit dem %VENDOR%-Token %TOK% geht es, {+der alte ist seit gestern abgelaufen.+}
=== wiki de | de
{+Für den Importlauf+} wird der Zugang von %VENDOR% gebraucht. Der API-Schlüssel lautet:

%TOK%

{+Bitte nicht weitergeben, er gilt bis Ende des Quartals.+}
=== chat fr | fr
{+Salut, pour la démo de demain+} tu peux utiliser la clé %VENDOR% suivante : %TOK% ({+je la révoque vendredi+}).
=== ticket fr | fr
{+Le déploiement échoue depuis ce matin.+} Variable en place : %ENV%=%TOK%
{+Est-ce que quelqu'un peut vérifier les droits ?+}
=== chat es | es
{+Buenas, os dejo el token de+} %VENDOR% para el entorno de pruebas: %TOK%. {+Caduca en dos semanas.+}
=== wiki pt | pt
{+Para correr a integração localmente+}, defina %ENV% com o valor `%TOK%` e {+reinicie o contêiner.+}
=== chat it | it
{+Ciao, ho rigenerato+} la chiave di %VENDOR%, quella nuova è %TOK% ({+la vecchia non funziona più+}).
=== chat nl | nl
{+Voor de koppeling met+} %VENDOR% gebruiken we nu deze sleutel: %TOK%. {+Zet hem even in je lokale config.+}
=== ticket pl | pl
{+Po rotacji kluczy+} nowy token do %VENDOR% to: %TOK%
{+Proszę podmienić w zadaniach nocnych.+}
=== chat ru | ru
{+Коллеги, обновил ключ+} для %VENDOR%: %TOK%, {+старый отключу вечером.+}
=== chat tr | tr
{+Arkadaşlar,+} %VENDOR% için yeni API anahtarı: %TOK% {+eskisini akşam kapatıyorum.+}
=== wiki zh | zh
{+本地调试时请把+} %ENV% 设置为 %TOK%，{+然后重启服务。+}
=== chat ja | ja
{+お疲れさまです。+}%VENDOR% の新しいトークンは %TOK% です。{+古いものは本日中に無効化します。+}
=== chat ko | ko
{+안녕하세요, 새로 발급한+} %VENDOR% 토큰은 %TOK% 입니다. {+기존 토큰은 오늘 삭제할게요.+}
"""
