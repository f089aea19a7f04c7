"""Keys and values in code, tables and elsewhere."""

KEY_VALUE_CODE = r"""
=== sql create user | en
CREATE ROLE reporting LOGIN PASSWORD '<<pwsafe>>' {+VALID UNTIL '2027-01-01'+};
=== sql alter user | en
ALTER USER 'wiki'@'%' IDENTIFIED BY '<<pwrand>>';
{+FLUSH PRIVILEGES;+}
=== sql insert | en
INSERT INTO {+app_users+} (login, password, active) VALUES ('mvogt', '<<pwword>>', 1) {+RETURNING id+};
=== markdown table | en
| {+Host+} | User | Password | {+Note+} |
|---|---|---|---|
| nas01 | admin | <<pwword>> | {+second floor+} |
| nas02 | admin | <<pwsafe>> | {+archive+} |
=== confluence table | en
||{+Environment+}||Login||Password||
|{+QA+}|qa.user|<<pwword>>|
|{+UAT+}|uat.user|<<pwword>>|
=== key table vertical | en
{+Printer third floor+}
Address:   192.168.3.30
Username:  admin
Password:  <<pwword>>
{+Toner:     black only+}
=== compose | en
services:
  db:
    image: {+mariadb:11+}
    environment:
      MARIADB_ROOT_PASSWORD: <<pwsafe>>
      {+MARIADB_DATABASE: shop+}
=== compose healthcheck | en
{+healthcheck:+}
  test: ["CMD", "mysqladmin", "ping", "-uroot", "--password=<<pwsafe>>"]
  {+interval: 10s+}
=== k8s secret base64 | en
apiVersion: v1
kind: Secret
metadata: { {+name: crm-db+} }
data:
  username: Y3Jt
  password: <<pwsafe|b64>>
=== k8s env value | en
- name: REDIS_PASSWORD
  value: "<<pwsafe>>"
- name: {+REDIS_PORT+}
  value: "6379"
=== helm set values | en
{+postgresql:+}
  auth:
    postgresPassword: "<<pwsafe>>"
    replicationPassword: <<pwsafe>>
  {+primary:+}
    persistence: { size: 20Gi }
=== terraform | en
resource "aws_db_instance" "{+main+}" {
  {+engine+}   = "postgres"
  username = "root"
  password = "<<pwrand>>"
}
=== terraform variable default | en
variable "admin_password" {
  {+type    = string+}
  default = "<<pwsafe>>"
}
=== ansible | en
{+ansible_user: deploy+}
ansible_become_password: <<pwword>>
{+ansible_port: 2222+}
=== wpa supplicant | en
network={
    ssid="{+Example-Guest+}"
    psk="<<phrase>>"
}
=== netrc | en
machine {+nexus.example.com+}
login ci
password <<pwsafe>>
=== pgpass | en
{+# ~/.pgpass+}
db.internal.example:5432:billing:app:<<pwsafe>>
=== wireguard | en
[Interface]
{+Address = 10.66.0.7/32+}
PrivateKey = <<fmt:{B42}E=>>
{+ListenPort = 51820+}
=== snmp and cisco | en
{+interface Vlan20+}
snmp-server community <<pwsafe>> RO
enable password <<pwword>>
{+line vty 0 4+}
=== unattend xml | en
<AutoLogon>
  <Password><Value><<pwword>></Value><PlainText>true</PlainText></Password>
  <{+LogonCount>1</LogonCount+}>
</AutoLogon>
=== german keys | de
{+Server: mail.example.de+}
Benutzer: versand
Passwort: <<pwword>>
{+Port: 587 (STARTTLS)+}
=== german keys abbreviated | de
{+VPN Lager+} - User: lager02 / PW: <<pwword>> {+- bitte nicht ändern+}
=== french keys | fr
Identifiant : accueil
Mot de passe : <<pwword>>
{+Imprimante : couleur, bac 2+}
=== spanish keys | es
usuario: almacen
contraseña: <<pwword>>
{+impresora: etiquetas-2+}
=== portuguese keys | pt
utilizador: loja3
senha: <<pwword>>
{+caixa: 2+}
=== italian keys | it
utente: magazzino
password: <<pwword>>
{+reparto: spedizioni+}
=== dutch keys | nl
gebruiker: balie
wachtwoord: <<pwword>>
{+locatie: begane grond+}
=== polish keys | pl
login: recepcja
hasło: <<pwword>>
{+drukarka: parter+}
=== russian keys | ru
логин: sklad
пароль: <<pwword>>
{+принтер: второй этаж+}
=== turkish keys | tr
kullanıcı adı: depo
şifre: <<pwword>>
{+yazıcı: zemin kat+}
=== chinese keys | zh
用户名：cangku
密码：<<pwword>>
{+位置：三楼机房+}
=== japanese keys | ja
ユーザー名：souko
パスワード：<<pwword>>
{+設置場所：2階+}
=== korean keys | ko
아이디: changgo
비밀번호: <<pwword>>
{+위치: 3층 서버실+}
"""
