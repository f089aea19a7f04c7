"""Passwords in prose: Turkish, Chinese, Japanese, Korean."""

PROSE_C = r"""
=== wifi | tr
{+Misafir ağının adı Example-Guest,+} şifresi <<phrase>>, {+bağlanamazsanız danışmaya sorun.+}
=== giriş | tr
{+Sunum için+} demo kullanıcısı ve <<pwword>> şifresiyle giriş yapın, {+sonra Raporlar'ı açın.+}
=== sıfırlama | tr
{+Merhaba Elif,+} geçici parolan <<pwword>>. {+İlk girişte değiştirmeni rica ederim.+}
=== tırnak | tr
{+Arşiv şifreli,+} parola "<<pwword>>", {+geçen yıldan beri aynı.+}
=== alarm | tr
{+Alarmın kodu+} <<pin:6>>, {+otuz saniyeniz var.+}
=== değişti | tr
{+Bilginize:+} stajyer ayrıldığı için NAS şifresini <<pw>> olarak değiştirdik, {+herkes güncellesin.+}
=== kalın | tr
{+Satış ekibinin ortak kutusu.+} Şifre: **<<pw>>** {+(tarayıcıya kaydetmeyin)+}
=== satır | tr
{+yazıcının yönetici şifresi şu+}
<<pw>>
{+kâğıdı da doldurun lütfen+}
=== günlük dil | tr
{+her zamanki işte,+} şifre <<pwword>>, {+test mağazasında da geçiyor+}
=== erişim | tr
{+Tedarikçi portalı bilgileri:+} satinalma / <<pwword>> {+ay sonuna kadar geçerli.+}
=== kod | tr
{+Bordrolar PDF olarak ekte,+} açmak için parola `<<pwword>>`. {+İyi çalışmalar, İK+}
=== wifi | zh
{+访客网络是 Example-Guest,+}密码是 <<phrase>>，{+连不上请找前台。+}
=== 登录 | zh
{+演示环境+}请用账号 demo、密码 <<pwword>> 登录，{+然后打开报表页面。+}
=== 重置 | zh
{+您好,+}您的初始密码为 <<pwword>>,{+首次登录后请尽快修改。+}
=== 引号 | zh
{+压缩包有加密，+}解压密码是“<<pwword>>”,{+和上个月一样。+}
=== 门禁 | zh
{+机房门禁+}密码：<<pin:6>>，{+进门后三十秒内输入。+}
=== 修改 | zh
{+通知:+}实习生离职后,NAS 的密码已改为 <<pw>>,{+请大家更新。+}
=== 加粗 | zh
{+销售公共邮箱。+}密码：**<<pw>>**{+(不要保存在浏览器里）+}
=== 换行 | zh
{+打印机的管理员密码如下：+}
<<pw>>
{+另外请记得加纸+}
=== 口语 | zh
{+还是老样子,+}密码<<pwword>>,{+测试商城也能用+}
=== 供应商 | zh
{+供应商门户的账号是 caigou,+}口令 <<pwword>>，{+月底前有效。+}
=== 工资单 | zh
{+工资单是加密的 PDF,+}用 `<<pwword>>` 这个密码打开。{+人事部+}
=== wifi | ja
{+ゲスト用の Wi-Fi は Example-Guest です。+}パスワードは <<phrase>> です。{+つながらないときは受付まで。+}
=== ログイン | ja
{+デモ環境には+}ユーザー名 demo、パスワード <<pwword>> でログインして、{+レポートを開いてください。+}
=== 再設定 | ja
{+お世話になっております。+}仮パスワードは <<pwword>> です。{+初回ログイン時に変更をお願いします。+}
=== かぎ括弧 | ja
{+圧縮ファイルの+}解凍パスワードは「<<pwword>>」です。{+先月と同じものです。+}
=== 暗証番号 | ja
{+サーバー室の+}暗証番号は <<pin:6>> です。{+三十秒以内に入力してください。+}
=== 変更 | ja
{+お知らせ：+}NAS のパスワードを <<pw>> に変更しました。{+各自で更新をお願いします。+}
=== 太字 | ja
{+営業の共有メールボックスです。+}パスワード:**<<pw>>**{+(ブラウザには保存しないでください)+}
=== 改行 | ja
{+プリンターの管理者パスワードは次のとおりです。+}
<<pw>>
{+用紙の補充もお願いします+}
=== 口語 | ja
{+いつものやつで、+}パスは <<pwword>> だよ。{+テスト用のショップでも使えるよ+}
=== 取引先 | ja
{+仕入先ポータルは+} ID が koubai、PW が <<pwword>> です。{+月末まで有効です。+}
=== 給与明細 | ja
{+給与明細の PDF は+} `<<pwword>>` というパスワードで開けます。{+人事部より+}
=== wifi | ko
{+게스트 와이파이 이름은 Example-Guest 이고+} 비밀번호는 <<phrase>> 입니다. {+안 되면 안내 데스크에 문의하세요.+}
=== 로그인 | ko
{+시연 환경은+} 아이디 demo, 비밀번호 <<pwword>> 로 로그인하시고 {+보고서를 여시면 됩니다.+}
=== 초기화 | ko
{+안녕하세요,+} 임시 비밀번호는 <<pwword>> 입니다. {+첫 로그인 때 바꿔 주세요.+}
=== 따옴표 | ko
{+압축 파일 암호는+} "<<pwword>>" 이고 {+지난달과 같습니다.+}
=== 출입 | ko
{+서버실 출입+} 비밀번호는 <<pin:6>> 이에요. {+삼십 초 안에 누르세요.+}
=== 변경 | ko
{+공지:+} 인턴 퇴사로 NAS 암호를 <<pw>> 로 바꿨습니다. {+각자 수정 부탁드려요.+}
=== 굵게 | ko
{+영업팀 공용 메일함입니다.+} 비밀번호: **<<pw>>** {+(브라우저에 저장하지 마세요)+}
=== 줄바꿈 | ko
{+프린터 관리자 비밀번호는 아래와 같습니다+}
<<pw>>
{+용지도 채워 주세요+}
=== 구어 | ko
{+늘 쓰던 거,+} 비번 <<pwword>> 야. {+테스트 쇼핑몰도 같아+}
=== 협력사 | ko
{+협력사 포털 계정은 gumae,+} 암호는 <<pwword>> 이며 {+월말까지 유효합니다.+}
=== 급여 | ko
{+급여명세서 PDF 는+} `<<pwword>>` 를 비밀번호로 입력하면 열립니다. {+인사팀 드림+}
"""
