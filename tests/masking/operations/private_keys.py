"""Private keys as they are pasted into chats, wikis and files."""

from tests.masking.operations.template import Row

PRIVATE_KEY: tuple[Row, ...] = (
    (
        "rsa pem",
        "en",
        """
Old deploy key, still in the wiki, please remove:

{%pem_rsa}

(used for the sftp drop)""",
        "still in the wiki, please remove|used for the sftp drop",
    ),
    (
        "openssh id_ed25519",
        "en",
        """
$ cat ~/.ssh/id_ed25519
{%pem_ssh}
$ ssh-add -l
1 key loaded""",
        "cat ~/.ssh/id_ed25519|1 key loaded",
    ),
    (
        "ec pem in chat",
        "de",
        """
hier der Schlüssel für das Testzertifikat:
{%pem_ec}
Passphrase gibt es keine.""",
        "hier der Schlüssel für das Testzertifikat|Passphrase gibt es keine.",
    ),
    (
        "pkcs8 in nginx dir",
        "en",
        """
root@{h}:/etc/nginx/tls# cat wildcard.key
{%pem_pkcs8}
root@{h}:/etc/nginx/tls# nginx -t""",
        "nginx -t",
    ),
    (
        "encrypted pkcs8",
        "en",
        """
This one is encrypted but treat it as burnt anyway:
{%pem_enc}
Rotation is tracked in {tk}.""",
        "treat it as burnt anyway|Rotation is tracked in",
    ),
    (
        "proc-type encrypted",
        "fr",
        """
Le fichier livré par le prestataire commence ainsi :
{%pem_proc}
On attend encore la phrase de passe.""",
        "Le fichier livré par le prestataire|On attend encore",
    ),
    (
        "truncated rsa",
        "en",
        """
log got cut off, but you can see that it dumped the key:
{%pem_cut}
... [output truncated, 1204 more bytes]""",
        "log got cut off|output truncated",
    ),
    (
        "truncated openssh",
        "en",
        """
terraform state show tls_private_key.bastion
{%pem_cutssh}
(scrolled out of my buffer, sorry)""",
        "terraform state show|scrolled out of my buffer",
    ),
    (
        "quoted mail",
        "en",
        (
            "\n"
            "On Tuesday the vendor wrote:\n"
            "> please install this on the relay\n"
            "> {%pem_quote}\n"
            ">\n"
            "I do not think we should accept keys by mail."
        ),
        "please install this on the relay|I do not think we should accept keys by mail.",
    ),
    (
        "service account json",
        "en",
        """
{
  "type": "service_account",
  "project_id": "acme-field-app",
  "private_key_id": "{sha}",
  "private_key": "{%pem_jsonp8}\\n",
  "client_email": "exporter@acme-field-app.iam.gserviceaccount.com"
}""",
        "service_account|acme-field-app",
    ),
    (
        "json escaped rsa",
        "en",
        """
{"level":"error","msg":"could not parse key","key":"{%pem_jsonrsa}\\n","svc":"{svc}"}""",
        "could not parse key",
    ),
    (
        "yaml secret indented",
        "en",
        """
apiVersion: v1
kind: Secret
stringData:
  tls.key: |
    {%pem_ind4}
type: kubernetes.io/tls""",
        "apiVersion: v1|type: kubernetes.io/tls",
    ),
    (
        "helm values indented",
        "en",
        """
ingress:
  tls:
    key: |-
      {%pem_ind6}
    host: app.example.com""",
        "host: app.example.com",
    ),
    (
        "ansible vars indented",
        "en",
        """
deploy_user: deploy
deploy_key: |
  {%pem_ind2}
deploy_path: /srv/app""",
        "deploy_user: deploy|deploy_path: /srv/app",
    ),
    (
        "crlf from windows",
        "en",
        """Exported on the jump host with PuTTYgen (Windows line ends):\r
{%pem_crlf}\r
works with WinSCP\r
""",
        "Exported on the jump host|works with WinSCP",
    ),
    (
        "terraform heredoc",
        "en",
        """
resource "aws_secretsmanager_secret_version" "k" {
  secret_string = <<EOT
{%pem_ed}
EOT
}""",
        "aws_secretsmanager_secret_version",
    ),
    (
        "env one line",
        "en",
        """
GITHUB_APP_ID=221874
GITHUB_APP_PRIVATE_KEY="{%pem_env}"
GITHUB_APP_INSTALL=4490""",
        "GITHUB_APP_INSTALL=4490",
    ),
    (
        "pgp block",
        "en",
        """
backup signing key (gpg --export-secret-keys -a backup):
{%pgp}
import with gpg --import""",
        "backup signing key|import with gpg --import",
    ),
    (
        "pgp with version",
        "it",
        """
Ecco la chiave per decifrare gli estratti conto:
{%pgp_ver}
Conservala fuori dal server, per favore.""",
        "Ecco la chiave per decifrare|Conservala fuori dal server",
    ),
    (
        "dsa pem",
        "en",
        """
legacy DSA host key from the decommissioned {h}:
{%pem_dsa}
(do not reuse)""",
        "legacy DSA host key|do not reuse",
    ),
    (
        "git diff",
        "en",
        """
diff --git a/certs/dev.key b/certs/dev.key
new file mode 100644
@@ -0,0 +1,5 @@
+{%pem_plus}
diff --git a/certs/README b/certs/README""",
        "new file mode 100644|certs/README",
    ),
    (
        "html in confluence",
        "en",
        """
<p>Key of the partner gateway</p><pre>{%pem_br}</pre><p>Valid for two years.</p>""",
        "Key of the partner gateway|Valid for two years.",
    ),
    (
        "java string",
        "en",
        """
private static final String KEY =
  "{%pem_concat}\\n";
Signer signer = Signer.of(KEY);""",
        "Signer signer = Signer.of(KEY);",
    ),
    (
        "commented in config",
        "ru",
        """
# старый ключ, пока не удаляем
# {%pem_hash}
ssl_protocols TLSv1.2 TLSv1.3;""",
        "старый ключ, пока не удаляем|ssl_protocols TLSv1.2 TLSv1.3;",
    ),
    (
        "tab indented",
        "en",
        """
steps:
	- write_file: /etc/ssl/app.key
	{%pem_tab}
	- reload: nginx""",
        "reload: nginx",
    ),
    (
        "json escaped ec in log",
        "pt",
        '\n[{ts}] WARN cert-manager: segredo lido do etcd value="{%pem_jsonec}\\n" tamanho=227',
        "segredo lido do etcd|tamanho=227",
    ),
    (
        "rsa after prompt, japanese",
        "ja",
        """
検証用サーバーの秘密鍵です。本番では使わないでください。
{%pem_ssh}
以上です。""",
        "本番では使わないでください|以上です。",
    ),
)
