"""JWTs and private keys."""

JWT = r"""
=== bearer header | en
GET /v1/invoices HTTP/1.1
Host: {+billing.example.com+}
Authorization: Bearer <<jwt>>
{+Accept: */*+}
=== curl | en
curl -s https://api.example.com/me -H 'Authorization: Bearer <<jwt:rs>>' | {+jq .roles+}
=== browser console | en
> localStorage.getItem('session')
'<<jwt>>'
> {+document.title+}
'Dashboard'
=== chat paste | en
{+can someone decode this for me? the expiry looks wrong:+} <<jwt:es>>
=== json response | en
{"{+token_type+}":"Bearer","expires_in":3600,"id_token":"<<jwt:rs>>"}
=== cookie | en
Set-Cookie: {+theme=dark;+} Path=/
Set-Cookie: session=<<jwt>>; HttpOnly; Secure; {+SameSite=Lax+}
=== url query | en
{+The magic link from the mail was+} https://app.example.com/login?token=<<jwt:es>> {+but it shows a blank page+}
=== url fragment | en
{+Redirected to+} https://app.example.com/cb#state=9a&id_token=<<jwt>>&{+token_type=bearer+}
=== env | en
SUPABASE_SERVICE_ROLE_KEY=<<jwt>>
{+SUPABASE_REGION=eu-west-2+}
=== log | en
2026-01-09 11:02:47,318 DEBUG [{+http-nio-8080-exec-4+}] JwtFilter - raw token=<<jwt:rs>> {+result=EXPIRED+}
=== broken at dots | en
{+Token from the customer's mail (Outlook wrapped it):+}
<<jwt:es|jwtdots>>
{+Please check the scope.+}
=== terminal wrap | en
$ {+./print-token.sh+}
<<jwt:rs|jwtlines>>
$
=== javascript test | en
const expired = '<<jwt>>';
{+expect(verify(expired)).toBe(false);+}
=== jwe | en
{+The partner sends an encrypted token, for instance+} <<jwt:jwe>> {+and we cannot open it.+}
=== kubeconfig | en
- context:
    {+cluster: prod-eu+}
  user:
    auth-provider:
      config:
        id-token: <<jwt:rs>>
=== yaml list | en
{+fixtures:+}
  - name: admin
    access_token: <<jwt:es>>
    {+ttl: 900+}
=== ticket | de
{+Beim Anmelden bleibt die Seite weiß.+} In der Konsole steht folgendes Token: <<jwt>>
{+Browser ist Firefox 134.+}
=== chat | fr
{+Le jeton que je reçois côté mobile est+} <<jwt:es>> {+et l'API répond 401.+}
=== chat | es
{+Este es el token que devuelve el login:+} "<<jwt>>" {+¿por qué no trae el rol?+}
=== chat | ja
{+ログイン後に返ってきたトークンです:+}
<<jwt:es>>
{+期限が切れているようです。+}
=== websocket | en
[ws] {+connecting to+} wss://push.example.com/socket?vsn=2.0.0&jwt=<<jwt>>
[ws] {+close 4401+}
=== graphql | en
connection_init {"payload":{"authToken":"<<jwt>>"}} -> {+connection_ack after 120 ms+}
"""

PRIVATE_KEY = r"""
=== pem rsa | en
{+Here is the deploy key you asked for:+}

<<pem:rsa|pem>>

{+Save it with mode 600.+}
=== pem pkcs8 | en
$ {+cat /etc/nginx/tls/site.key+}
<<pem:pkcs8|pem>>
=== pem ec | en
{+openssl ecparam -genkey -name prime256v1 -noout+}
<<pem:ec|pem>>
=== openssh | en
{+copy this to ~/.ssh/id_ed25519 on the bastion+}
<<pem:openssh|pem>>
=== openssh fenced | en
{+New key for the backup host:+}
```
<<pem:openssh|pem>>
```
{+The public half is already in authorized_keys.+}
=== dsa | en
{+Old appliance, still uses DSA:+}
<<pem:dsa|pem>>
=== encrypted pkcs8 | en
{+The key is protected, the passphrase follows by phone.+}
<<pem:encrypted|pem>>
=== legacy encrypted | en
{+From the appliance backup:+}
<<pem:rsa,legacy|pem>>
=== pgp | en
{+Signing key for the apt repository+}

<<pem:pgp|pem>>
=== truncated | en
{+log line was cut by the collector:+}
<<pem:rsa2048,cut|pem>>
... {+(1 214 bytes more)+}
=== tail only | en
{+$ tail -n 5 server.key+}
<<pem:rsa,nohead|pem>>
=== mail quote | en
{+Tom wrote on Tuesday:+}
> <<pem:ec|pemquote>>
{+Thanks, works now.+}
=== mail quote twice | en
{+see below, it was in the forwarded mail+}
>> <<pem:openssh|pemquote2>>
=== json escaped | en
{"{+client_email+}": "robot", "private_key": "<<pem:p8|pemjson>>\n", "{+universe_domain+}": "googleapis.com"}
=== json in json | en
{"{+msg+}":"loaded","cfg":"{\"key\":\"<<pem:ec|pemdouble>>\",\"{+kid+}\":7}"}
=== yaml block | en
{+tls:+}
  enabled: true
  key: |
    <<pem:ec|pemind4>>
  {+port: 8443+}
=== k8s stringData | en
{+kind: Secret+}
stringData:
    tls.key: |
      <<pem:pkcs8|pemind6>>
=== crlf | en
{+Exported from the Windows box:+}
<<pem:ec|pemcrlf>>
{+(line ends are CRLF)+}
=== one line env | en
APNS_KEY="<<pem:p8|pemjson>>"
{+APNS_TOPIC=com.example.app+}
=== one line spaces | en
{+The CI variable lost its line breaks:+} <<pem:ec|peminone>> {+so ssh says invalid format+}
=== log prefix | en
2026-02-11T08:14:33.120Z app[web.1]: <<pem:ec|pemlog>>
2026-02-11T08:14:33.121Z app[web.1]: {+listening on 8443+}
=== commented out | en
{+# old key, remove after migration+}
# <<pem:openssh|pemhash>>
{+listen 443 ssl;+}
=== git diff | en
diff --git a/{+certs/dev.key+} b/certs/dev.key
@@ -0,0 +1,5 @@
+<<pem:ec|pemplus>>
=== code concat | en
{+private static final String KEY =+}
    <<pem:ec|pemconcat>>;
=== tab indent | de
{+Der private Schlüssel liegt im Ticketanhang und hier:+}
	<<pem:ed25519|pemtab>>
{+Bitte nach dem Einspielen löschen.+}
=== wiki fr | fr
{+Clé privée du serveur de recette, à ne pas diffuser :+}
<<pem:ec|pem>>
{+Elle expire en mars.+}
=== terraform heredoc | en
resource "tls_cert_request" "{+web+}" {
  private_key_pem = <<-EOT
    <<pem:ec|pemind4>>
  EOT
}
"""
