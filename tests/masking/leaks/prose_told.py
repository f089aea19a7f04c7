"""More passwords in prose, each told in its own way."""

PROSE_D = r"""
=== question and answer | en
Q: {+how do I get into the meeting room tablet?+}
A: swipe up, <<pin:6>>, {+then pick the calendar app+}
=== instead of | en
{+Note that+} it is <<pwword>> with a capital letter, not the old password, {+I got locked out twice.+}
=== credential sentence | en
{+The service account+} svc_print authenticates with <<pwrand>>; {+nobody knows who owns it.+}
=== voicemail | en
{+Your voicemail box is ready.+} Dial 500 and enter passcode <<pin:8>>. {+Record a greeting first.+}
=== incident | en
{+During the phishing test+} three people typed their real password; one of them was "<<pwword>>". {+They were ~+
informed.+}
=== chat two lines | en
{+can you send me the staging pw?+}
sure: <<pwrand>>
{+thx+}
=== passwort vergessen | de
{+Falls Sie gefragt werden:+} <<pwword>> ist das Masterpasswort, {+der Safe steht im Archiv.+}
=== frage antwort | de
{+Weiß jemand das Kennwort fürs Kassensystem?+}
Ja, <<pwword>>
{+super, danke+}
=== türcode | de
{+Der neue Türcode fürs Lager+} ist <<pin:6>># {+und gilt ab morgen früh.+}
=== notiz | de
{+Notiz am Monitor:+} Anmeldung mit „kasse2“, Passwort ist der Filialname, also <<pwword>>.
=== question | fr
{+quelqu'un a le mot de passe de la caisse ?+}
oui, c'est <<pwword>>
{+merci !+}
=== inversion | fr
{+Attention,+} <<pwword>> est le mot de passe de production, {+pas celui de la recette.+}
=== digicode | fr
{+Le digicode de l'entrée livraison+} est le <<pin:6>>, {+sonnez si ça bloque.+}
=== pregunta | es
{+¿alguien tiene la clave de la caja?+}
sí, es <<pwword>>
{+¡gracias!+}
=== inversión | es
{+Ojo,+} <<pwword>> es la contraseña de producción, {+no la de pruebas.+}
=== recordatorio | es
{+Recordad que+} la clave del portátil de préstamo sigue siendo <<pwword>> {+y se devuelve cargado.+}
=== pergunta | pt
{+alguém tem a senha do caixa?+}
tenho, é <<pwword>>
{+obrigado!+}
=== brasileiro | pt
{+Galera,+} a senha do Wi-Fi do escritório virou <<pwword>>, {+avisem o pessoal do térreo.+}
=== inversão | pt
{+Cuidado:+} <<pwword>> é a palavra-passe de produção, {+não a de testes.+}
=== domanda | it
{+qualcuno ha la password della cassa?+}
sì, è <<pwword>>
{+grazie!+}
=== inversione | it
{+Attenzione:+} <<pwword>> è la password di produzione, {+non quella di collaudo.+}
=== promemoria | it
{+Per sbloccare il tablet del magazzino+} digitate il PIN <<pin:6>> {+e confermate.+}
=== vraag | nl
{+heeft iemand het wachtwoord van de kassa?+}
ja, dat is <<pwword>>
{+bedankt!+}
=== omkering | nl
{+Let op:+} <<pwword>> is het wachtwoord van productie, {+niet van de testomgeving.+}
=== deurcode | nl
{+Voor de achterdeur toets je+} pincode <<pin:6>> in, {+daarna het hekje.+}
=== pytanie | pl
{+ktoś ma hasło do kasy?+}
tak, <<pwword>>
{+dzięki!+}
=== odwrotnie | pl
{+Uwaga,+} <<pwword>> to hasło produkcyjne, {+nie testowe.+}
=== przypomnienie | pl
{+Tablet w magazynie odblokujesz+} PIN-em <<pin:6>>, {+potem zatwierdź.+}
=== вопрос | ru
{+у кого есть пароль от кассы?+}
держи: <<pwword>>
{+спасибо!+}
=== наоборот | ru
{+Внимание:+} <<pwword>> это пароль от боевого сервера, {+не от тестового.+}
=== пин | ru
{+Планшет на складе разблокируется+} пин-кодом <<pin:6>>, {+потом нажмите «Ввод».+}
=== soru | tr
{+kasanın şifresi kimde var?+}
bende, <<pwword>>
{+teşekkürler!+}
=== ters | tr
{+Dikkat,+} <<pwword>> canlı ortamın parolası, {+testinki değil.+}
=== tablet | tr
{+Depodaki tableti+} <<pin:6>> PIN koduyla {+açabilirsiniz.+}
=== 问答 | zh
{+谁有收银机的密码？+}
有的，是 <<pwword>>
{+谢谢！+}
=== 提醒 | zh
{+注意，+}<<pwword>> 是生产环境的密码，{+不是测试环境的。+}
=== 平板 | zh
{+仓库平板的解锁+} PIN 是 <<pin:6>>,{+输入后点确定。+}
=== 質問 | ja
{+レジのパスワードを知っている方いますか？+}
はい、<<pwword>> です
{+助かります！+}
=== 注意 | ja
{+ご注意ください。+}<<pwword>> は本番環境のパスワードで、{+検証用ではありません。+}
=== タブレット | ja
{+倉庫のタブレットは+} PIN <<pin:6>> {+で解除できます。+}
=== 질문 | ko
{+계산대 비밀번호 아시는 분 계세요?+}
네, <<pwword>> 입니다
{+감사합니다!+}
=== 주의 | ko
{+주의하세요.+} <<pwword>> 는 운영 서버 비밀번호이고 {+테스트용이 아닙니다.+}
=== 태블릿 | ko
{+창고 태블릿은+} PIN <<pin:6>> 을 눌러 {+잠금을 풀면 됩니다.+}
"""
