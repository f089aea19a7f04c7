"""Passwords in sentences: Polish, Russian, Turkish, Chinese, Japanese, Korean."""

PROSE_EAST = r"""
=== wifi | pl
Hasło do wifi dla gości to <<w>>, [~sieć nazywa się Nordwind-Goscie~].
=== log in with | pl
Zaloguj się jako magazyn2 z hasłem <<pl>>, [~potem wybierz oddział~].
=== code marks | pl
[~Odblokowałem ci konto~], tymczasowe hasło: `<<rnd>>`.
=== bold | pl
Plik z wypłatami otworzysz hasłem **<<pp>>**, [~nie przesyłaj dalej~].
=== pin | pl
[~Nowy kod do alarmu w magazynie~] to <<pin>>, zapamiętaj go.
=== line break | pl
Podaję hasło administratora do drukarki:
<<w>>
[~Daj znać, czy działa.~]
=== quotes | pl
Ustawiliśmy „<<leet>>” jako hasło [~na tablecie w recepcji~].
=== question | pl
Czy hasło to nadal <<w>>? [~U mnie od rana wyskakuje błąd~].
=== short chat | pl
hasło: <<rnd>> [~ważne tylko do piątku~]
=== genitive | pl
Do serwera testowego użyj hasła <<rnd>> [~zamiast poprzedniego~].
=== wifi | ru
Пароль от гостевого вайфая: <<w>>, [~сеть называется Nordwind-Guest~].
=== log in with | ru
Заходи под пользователем sklad2 с паролем <<pl>>, [~потом выбери филиал~].
=== code marks | ru
[~Учётку разблокировал~], временный пароль `<<rnd>>`, смени при входе.
=== bold | ru
Пароль на файл с зарплатами **<<pp>>**, [~никому не пересылай~].
=== pin | ru
[~Новый код сигнализации на складе~] - <<pin>>, не забудьте.
=== line break | ru
Вот пароль администратора от принтера:
<<w>>
[~Напиши, если не подойдёт.~]
=== quotes | ru
Мы поставили «<<leet>>» в качестве пароля [~на планшете в переговорной~].
=== question | ru
Пароль всё ещё <<w>>? [~У меня с утра не пускает~].
=== short chat | ru
пасс: <<rnd>> [~действует до пятницы~]
=== instrumental | ru
Поменял пароль тестового сервера на <<rnd>>, [~старый истёк~].
=== wifi | tr
Misafir wifi şifresi <<w>>, [~ağın adı Nordwind-Misafir~].
=== log in with | tr
depo2 kullanıcısı ve <<pl>> şifresiyle giriş yapın, [~sonra şubeyi seçin~].
=== code marks | tr
[~Hesabınızın kilidini açtım~], geçici parolanız `<<rnd>>`.
=== bold | tr
Maaş dosyasının şifresi **<<pp>>**, [~lütfen kimseye iletmeyin~].
=== pin | tr
[~Depo alarmının yeni kodu~] <<pin>> oldu, not edin.
=== line break | tr
Yazıcının yönetici parolası aşağıda:
<<w>>
[~Çalışmazsa haber verin.~]
=== quotes | tr
Resepsiyondaki tablete "<<leet>>" parolasını koyduk, [~herkes kullanabilir~].
=== question | tr
Şifre hâlâ <<w>> mi? [~Bende sabahtan beri hata veriyor~].
=== short chat | tr
şifre: <<rnd>> [~cuma gününe kadar geçerli~]
=== changed | tr
Test sunucusunun parolasını <<rnd>> olarak değiştirdim, [~eskisinin süresi dolmuştu~].
=== wifi | zh
访客无线网的密码是<<w>>,[~网络名称是 Nordwind-Guest~],欢迎大家转告客户。
=== log in with | zh
用账号 cangku2 和密码 <<pl>> 登录系统,[~然后选择对应的分公司就可以了~]。
=== code marks | zh
[~你的账号已经解锁~],临时密码为 `<<rnd>>`,首次登录后请修改。
=== bold | zh
工资表的打开密码:**<<pp>>**,[~请不要转发给别人~]。
=== pin | zh
[~仓库报警器的新密码从下周一开始~]改成 <<pin>>,请值班的同事记一下,不要告诉外面的人。
=== line break | zh
打印机的管理员密码如下:
<<w>>
[~如果还是登录不上去,请在群里跟我说一声~]。
=== quotes | zh
前台平板的密码设成了“<<leet>>”,[~大家都可以用,开会之前请记得先给它充好电~]。
=== question | zh
请问测试环境的密码还是 <<w>> 吗?[~我从今天早上开始就一直登录失败~]。
=== short chat | zh
临时开的密码 <<rnd>> [~周五之前有效,过期了再来找我重新开一个~]
=== changed | zh
我把测试服务器的口令改成 <<rnd>> 了,[~旧的已经过期,请更新文档~]。
=== wifi | ja
来客用Wi-Fiのパスワードは<<w>>です。[~ネットワーク名は Nordwind-Guest です~]。
=== log in with | ja
ユーザー souko2 、パスワード <<pl>> でログインして、[~拠点を選んでください~]。
=== code marks | ja
[~アカウントのロックを解除しました~]。仮パスワードは `<<rnd>>` です。
=== bold | ja
給与ファイルのパスワードは **<<pp>>** です。[~転送はしないでください~]。
=== pin | ja
[~本社倉庫のアラームの暗証番号が来週の月曜日から~] <<pin>> に変わります。ご注意ください。
=== line break | ja
プリンターの管理者パスワードはこちら:
<<w>>
[~うまくいかない場合は連絡してください~]。
=== quotes | ja
受付のタブレットのパスワードは「<<leet>>」に設定しました。[~会議の前に充電してください~]。
=== question | ja
検証環境のパスワードはまだ <<w>> で合っていますか?[~朝からログインできません~]。
=== short chat | ja
PWは <<rnd>> です。[~金曜日まで有効なので早めに使ってください~]。
=== changed | ja
テストサーバーのパスワードを <<rnd>> に変更しました。[~古いものは期限切れです~]。
=== wifi | ko
손님용 와이파이 비밀번호는 <<w>>입니다. [~네트워크 이름은 Nordwind-Guest예요~].
=== log in with | ko
아이디 changgo2, 비밀번호 <<pl>> 로 로그인한 다음 [~지점을 선택하세요~].
=== code marks | ko
[~계정 잠금을 풀었습니다~]. 임시 비밀번호는 `<<rnd>>` 입니다.
=== bold | ko
급여 파일 비밀번호는 **<<pp>>** 이고, [~다른 분께 전달하지 마세요~].
=== pin | ko
[~창고 경보기 비밀번호가 다음 주 월요일부터~] <<pin>> 으로 바뀝니다. 메모해 두세요.
=== line break | ko
프린터 관리자 비밀번호입니다:
<<w>>
[~안 되면 저한테 바로 알려 주세요, 오늘은 자리에 있습니다~].
=== quotes | ko
접수처 태블릿 암호를 "<<leet>>"로 설정했어요. [~회의 전에 충전해 주세요~].
=== question | ko
테스트 서버 비번 아직 <<w>> 맞나요? [~아침부터 로그인이 안 됩니다~].
=== short chat | ko
비번: <<rnd>> [~금요일까지만 쓸 수 있으니 그 전에 받아 가세요~]
=== changed | ko
테스트 서버의 패스워드를 <<rnd>>(으)로 변경했습니다. [~예전 것은 만료됐어요~].
"""

EVASION = r"""
=== base64 user:password
[~the header value is just base64~]: <<h_b64_userpw>>
=== base64 key=value
echo <<h_b64_kv>> | base64 -d >> .env   [~# from the old wiki~]
=== base64 token
[~stored encoded in the pipeline variable~]: <<h_b64_token>>
=== base64 json
state blob from [~the import job~]: <<h_b64_json>>
=== base64 wrapped
[~env file as base64~]:
<<h_b64_wrap>>
=== kubernetes secret data
kind: Secret
metadata:
  [~name: mail-relay~]
data:
  password: <<h_b64_pw>>
=== docker config json
data:
  .dockerconfigjson: <<h_b64_docker>>
type: [~kubernetes.io/dockerconfigjson~]
=== base64url
[~https://app.kestrel.dev/start~]?ctx=<<h_b64url_kv>>
=== url encoded password | de
[~Der Link aus dem alten Portal~]: https://portal.nordwind.lan/login?user=gast&password=<<h_url_pw>>
=== url encoded bearer
GET /proxy?[~target=orders~]&header=Authorization%3A%20<<h_url_auth>>
=== url encoded form body
POST body in the log: [~grant_type%3Dpassword~]%26<<h_url_kv>>
=== url encoded twice
https://sso.kestrel.dev/login?[~next=home~]&password=<<h_url_twice>>
=== url quoted plus | fr
[~Trace du formulaire~] : login=compta&passwd=<<h_quoted>>
=== html decimal entities
[~Copied from the page source~]: token: <<h_html_dec>>
=== html hex entities
<td>Password</td><td><<h_html_hex>></td><td>[~Label printer~]</td>
=== html named entities
<property name="password" value="<<h_html_named>>"/> [~<property name="retries" value="3"/>~]
=== hex token
[~xxd -p of the file gives~] <<h_hex>>
=== hex key value
[~payload in the packet capture~]: <<h_hex_kv>>
=== hex sql literal
DECLARE @c varbinary(64) = <<h_hex_0x>>; [~-- decoded at runtime~]
=== javascript escapes
var t = "<<h_js>>"; [~// bundled by webpack~]
=== zero-width space
from the wiki page: <<h_zw>> [~(copy does not work for me)~]
=== word joiner
[~Token for the release bot~] <<h_zwj>>
=== soft hyphen | de
[~Aus dem PDF kopiert~]: <<h_shy>>
=== line break in token
[~the terminal wrapped it~], my token is
<<h_nl>>
=== quoted line break
> [~my token was~]
> <<h_nl>>
=== concatenation
const t = "<<h_concat>>"; [~// split so the scanner is quiet~]
=== python implicit concatenation
TOKEN = (
    "<<h_concat_py>>"
)  [~# keep in one place~]
=== shell continuation
export GITHUB_TOKEN=<<h_backslash>>
[~make release~]
=== bold around
please use **<<ghp>>** [~for the mirror job~]
=== bold inside
[~formatting went wrong here~]: <<h_star>>
=== backtick inside
token <<h_tick>> [~was in the template~]
=== markdown table cell
| Tool | Token | [~Owner~] |
|:--|:--|:--|
| npm | **`<<npm>>`** | Femke |
=== json inside json
{"event": "retry", "payload": "{\"user\":\"[~etl~]\",\"password\":\"<<rnd>>\",\"opts\":\"{\\\"token\\\":\\\"<<hf>>\+
\\\"}\"}"}
=== json escaped value
{"user": "scan", "password": "<<h_json_pw>>", "[~share~]": "inbox"}
=== card with zero-width
[~Karte aus der Buchung~]: <<h_card>>
=== full-width token | ja
[~全角になってしまいました~]:<<h_wide>>
=== full-width password | zh
密码:<<h_wide_pw>> [~(输入法的问题,请自己转换一下)~]
=== full-width iban | ja
[~振込先の口座~] IBAN:<<h_wide_iban>> です。ご確認ください。
=== mathematical letters
[~someone styled it in the slide~]: <<h_math>>
=== escaped underscores
[~exported from Markdown~]: sk\_live\_<<p:{A24}>>
=== link text
[<<gitlab>>](https://git.kestrel.dev/-/user_settings) [~is the one to revoke~]
"""
