"""Passwords told in sentences: Polish, Russian, Turkish, Chinese, Japanese, Korean."""

from tests.masking.operations.template import Row

ROWS: tuple[Row, ...] = (
    ("wifi", "pl", "Hasło do wifi dla gości to {!pw_pl}, zmienia się co miesiąc.", "zmienia się co miesiąc"),
    (
        "login with",
        "pl",
        "Zaloguj się użytkownikiem {u} i hasłem {!pw_pl}, potem zrestartuj usługę.",
        "potem zrestartuj usługę",
    ),
    (
        "code mark",
        "pl",
        "Zresetowałem twoje hasło na `{!pwr}`, zmień je przy pierwszym logowaniu.",
        "zmień je przy pierwszym logowaniu",
    ),
    ("quotes", "pl", "Stare hasło brzmiało „{!pw_pl}” i nadal działa na testach.", "nadal działa na testach"),
    ("pin", "pl", "PIN do sejfu w serwerowni: {!pin6}, alarm wyłącza się kartą.", "alarm wyłącza się kartą"),
    ("bold", "pl", "Dostęp do drukarki: użytkownik **admin**, hasło **{!pw_pl}**.", "Dostęp do drukarki"),
    (
        "line break",
        "pl",
        "Cześć,\nnowe hasło roota na {h}:\n{!pwr}\nProszę zapisać w sejfie haseł.",
        "Proszę zapisać w sejfie haseł.",
    ),
    ("genitive", "pl", "Użyj hasła {!pws} podczas instalacji, później ustawimy własne.", "później ustawimy własne"),
    (
        "changed",
        "pl",
        "Zmieniliśmy hasło z {!pw_pl} na {!pw_pl#1}, zadania nocne już przeszły.",
        "zadania nocne już przeszły",
    ),
    ("chat", "pl", "haslo do vpn: {!pw_pl} tylko nie wrzucaj na kanał ogólny", "tylko nie wrzucaj na kanał ogólny"),
    ("wifi", "ru", "Пароль от гостевого вайфая — {!pw_ru}, меняется раз в месяц.", "меняется раз в месяц"),
    (
        "login with",
        "ru",
        "Заходи под пользователем {u} с паролем {!pw_ru}, потом перезапусти службу.",
        "потом перезапусти службу",
    ),
    (
        "code mark",
        "ru",
        "Я сбросил вам пароль на `{!pwr}`, смените его при первом входе.",
        "смените его при первом входе",
    ),
    ("guillemets", "ru", "Старый пароль был «{!pw_ru}», на тесте он ещё работает.", "на тесте он ещё работает"),
    ("pin", "ru", "Код от серверной {!pin6}, сигнализация снимается картой.", "сигнализация снимается картой"),
    ("bold", "ru", "Доступ к принтеру: логин **admin**, пароль **{!pw_ru}**.", "Доступ к принтеру"),
    (
        "line break",
        "ru",
        "Добрый день,\nновый пароль root на {h}:\n{!pwr}\nСохраните в хранилище, пожалуйста.",
        "Сохраните в хранилище",
    ),
    ("instrumental", "ru", "Архив закрыт паролем {!pws}, внутри отчёты за квартал.", "внутри отчёты за квартал"),
    ("changed", "ru", "Поменяли пароль с {!pw_ru} на {!pw_ru#1}, задания уже отработали.", "задания уже отработали"),
    ("chat", "ru", "пасс от впн {!pw_ru} никому не пересылай плиз", "никому не пересылай плиз"),
    ("wifi", "tr", "Misafir kablosuz ağ şifresi {!pw_tr}, her ay değişiyor.", "her ay değişiyor"),
    (
        "login with",
        "tr",
        "{u} kullanıcısı ve {!pw_tr} parolasıyla giriş yap, sonra servisi yeniden başlat.",
        "sonra servisi yeniden başlat",
    ),
    (
        "code mark",
        "tr",
        "Şifreni `{!pwr}` olarak sıfırladım, ilk girişte değiştir lütfen.",
        "ilk girişte değiştir lütfen",
    ),
    ("quotes", "tr", 'Eski parola "{!pw_tr}" idi, test ortamında hâlâ çalışıyor.', "test ortamında hâlâ çalışıyor"),
    ("pin", "tr", "Sunucu odasının kapı kodu {!pin6}, alarm kartla kapanıyor.", "alarm kartla kapanıyor"),
    ("bold", "tr", "Yazıcı erişimi: kullanıcı **admin**, parola **{!pw_tr}**.", "Yazıcı erişimi"),
    (
        "line break",
        "tr",
        "Merhaba,\n{h} için yeni root parolası:\n{!pwr}\nKasaya kaydedin lütfen.",
        "Kasaya kaydedin lütfen.",
    ),
    ("changed", "tr", "Şifreyi {!pw_tr} yaptık, gece görevleri sorunsuz çalıştı.", "gece görevleri sorunsuz çalıştı"),
    ("apostrophe", "tr", "Modemin şifresi hâlâ {!pws}'dir, kimse değiştirmemiş.", "kimse değiştirmemiş"),
    ("chat", "tr", "vpn şifresi neydi? {!pw_tr} galiba, dene bi", "dene bi"),
    ("wifi", "zh", "访客WiFi密码是{!pw_zh}，每个月更换一次。请注意这条消息会在一周之后自动删除的。", "每个月更换一次"),
    (
        "login with",
        "zh",
        "用户名{u}，密码{!pw_zh}，登录后请重启服务。麻烦尽快处理，谢谢，有问题再联系我。",
        "登录后请重启服务",
    ),
    (
        "code mark",
        "zh",
        "已将您的密码重置为 `{!pwr}` ，首次登录后请修改。这是上周开会时确认过的，请知悉并存档。",
        "首次登录后请修改",
    ),
    (
        "corner quotes",
        "zh",
        "旧密码是“{!pw_zh}”，测试环境还能用。如有疑问请在工单里留言，我下午都在线。",
        "测试环境还能用",
    ),
    ("pin", "zh", "机房门禁密码：{!pin6}，报警用门卡解除。变更单号写在下面的备注里，请一并更新。", "报警用门卡解除"),
    (
        "bold",
        "zh",
        "打印机登录：账号 **admin**，口令 **{!pw_zh}**。请注意这条消息会在一周之后自动删除的。",
        "打印机登录",
    ),
    ("line break", "zh", "各位好，\n{h} 的 root 新密码如下：\n{!pwr}\n请存入密码库。", "请存入密码库。"),
    (
        "unzip",
        "zh",
        "压缩包的解压密码是 {!pws} ，里面是季度报表。麻烦尽快处理，谢谢，有问题再联系我。",
        "里面是季度报表",
    ),
    (
        "changed",
        "zh",
        "密码已从{!pw_zh}改成{!pw_zh#1}，夜间任务已经跑通。这是上周开会时确认过的，请知悉并存档。",
        "夜间任务已经跑通",
    ),
    (
        "chat",
        "zh",
        "vpn密码多少来着？ {!pw_zh} 你试试看行不行 如有疑问请在工单里留言，我下午都在线。",
        "你试试看行不行",
    ),
    (
        "wifi",
        "ja",
        "ゲスト用Wi-Fiのパスワードは {!pw_ja} です。毎月変わります。不明な点があれば、チケットにコメントしてください。",
        "毎月変わります",
    ),
    (
        "no blanks",
        "ja",
        (
            "検証機のパスワードは{!pws}です。作業後にログアウトしてください。作業が終わりましたら、"
            "こちらのスレッドに返信してください。"
        ),
        "作業後にログアウトしてください",
    ),
    (
        "login with",
        "ja",
        "ユーザー名 {u}、パスワード {!pw_ja} でログインし、サービスを再起動してください。",
        "サービスを再起動してください",
    ),
    (
        "code mark",
        "ja",
        "パスワードを `{!pwr}` にリセットしました。初回ログイン時に変更をお願いします。",
        "初回ログイン時に変更をお願いします",
    ),
    (
        "corner brackets",
        "ja",
        (
            "旧パスワードは「{!pw_ja}」で、テスト環境ではまだ使えます。先週の会議で確認した内容ですので、"
            "記録しておいてください。"
        ),
        "テスト環境ではまだ使えます",
    ),
    (
        "pin",
        "ja",
        (
            "サーバー室の暗証番号は {!pin6} です。警報はカードで解除します。午後は席におりますので、"
            "何かあればお声がけください。"
        ),
        "警報はカードで解除します",
    ),
    ("bold", "ja", "複合機の管理画面：ID **admin**、パスワード **{!pw_ja}**", "複合機の管理画面"),
    (
        "line break",
        "ja",
        "お疲れさまです。\n{h} の新しい root パスワードです。\n{!pwr}\n保管庫に登録をお願いします。",
        "保管庫に登録をお願いします。",
    ),
    (
        "unzip",
        "ja",
        (
            "添付ファイルの解凍パスワードは {!pw_ja} になります。ご確認ください。不明な点があれば、"
            "チケットにコメントしてください。"
        ),
        "ご確認ください",
    ),
    (
        "changed",
        "ja",
        "パスワードを {!pw_ja} から {!pw_ja#1} に変更しました。夜間処理は正常です。",
        "夜間処理は正常です",
    ),
    (
        "wifi",
        "ko",
        "게스트 와이파이 비밀번호는 {!pw_ko} 입니다. 매달 변경됩니다. 궁금한 점이 있으면 티켓에 댓글로 남겨 주세요.",
        "매달 변경됩니다",
    ),
    (
        "particle attached",
        "ko",
        "개발 서버 비번은 {!pws}이고 접속은 VPN으로만 됩니다. 지난주 회의에서 확인한 내용이니 기록해 두시기 바랍니다.",
        "접속은 VPN으로만 됩니다",
    ),
    (
        "login with",
        "ko",
        "아이디 {u}, 비밀번호 {!pw_ko} 로 로그인한 뒤 서비스를 재시작해 주세요.",
        "서비스를 재시작해 주세요",
    ),
    (
        "code mark",
        "ko",
        "비밀번호를 `{!pwr}` 로 초기화했습니다. 처음 로그인할 때 변경해 주세요.",
        "처음 로그인할 때 변경해 주세요",
    ),
    (
        "quotes",
        "ko",
        "이전 암호는 '{!pw_ko}' 였고 테스트 환경에서는 아직 됩니다. 작업이 끝나면 이 스레드에 답글로 알려 주세요.",
        "테스트 환경에서는 아직 됩니다",
    ),
    (
        "pin",
        "ko",
        "서버실 출입문 번호는 {!pin6} 이고, 경보는 카드로 해제합니다. 도어락 비밀번호니 공유하지 마세요.",
        "공유하지 마세요",
    ),
    (
        "bold",
        "ko",
        "프린터 관리자: 계정 **admin**, 패스워드 **{!pw_ko}**\n궁금한 점이 있으면 티켓에 댓글로 남겨 주세요.",
        "프린터 관리자",
    ),
    (
        "line break",
        "ko",
        "안녕하세요.\n{h} 서버의 새 root 비밀번호입니다.\n{!pwr}\n금고에 저장 부탁드립니다.",
        "금고에 저장 부탁드립니다.",
    ),
    (
        "unzip",
        "ko",
        (
            "첨부 파일 압축 비밀번호는 {!pw_ko} 이니 확인 바랍니다. 지난주 회의에서 확인한 내용이니 기록해 두시기 "
            "바랍니다."
        ),
        "확인 바랍니다",
    ),
    (
        "changed",
        "ko",
        "비밀번호를 {!pw_ko} 에서 {!pw_ko#1} 로 바꿨고 야간 작업은 정상입니다.",
        "야간 작업은 정상입니다",
    ),
)
