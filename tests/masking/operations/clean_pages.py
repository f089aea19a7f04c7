"""Without secrets: longer tables and pages, some in other languages."""

from tests.masking.operations.template import NegRow

ROWS: tuple[NegRow, ...] = (
    (
        "手順書",
        "ja",
        (
            "\n"
            "## 証明書の更新手順\n"
            "1. 変更チケット（{tk}）を起票し、作業時間（22:00～23:00）を関係者に連絡します。\n"
            "2. 新しい証明書を受け取り、指紋を確認します。シリアル番号は 0A1B2C3D4E5F、"
            "有効期限は2025年11月3日です。\n"
            "3. 秘密鍵は /etc/pki/gw/gw.key に置き、権限を 0640 にします。"
            "鍵の中身をチケットやチャットに貼らないでください。\n"
            "4. キーストアのパスワードは保管庫の infra/gateway/keystore を参照してください。"
            "パスワードは口頭でも伝えないこと。\n"
            "5. サービスを再読み込みし、https://gw.example.co.jp/health が 200 を返すことを確認します。"
            "バージョンは 7.2.11 です。\n"
            "6. ログに「パスワードが正しくありません」と出た場合は、設定ファイルの keystore_password_file "
            "の値を見直します。\n"
            "パスワードの規則：12文字以上、有効期間は90日、過去5回分は再利用できません。"
            "5回間違えると15分間ロックされます。\n"
            "トークンの有効期間は3600秒、更新用トークンは14日間です。"
            "パスワードを忘れた場合はログイン画面から再設定できます。\n"
            "問い合わせ先：support@example.co.jp、対象ホスト {fq}（{ip}）、ポート 443。前回の作業は2024年5月14日、"
            "所要時間は18分でした。\n"
            "変更後は監視画面で応答時間とエラー率を30分間確認し、異常がなければチケットを閉じます。"
            "切り戻しの手順は同じページの末尾に記載しています。\n"
            "コミット {sha7}、イメージ sha256:{sha256} を作業記録に残してください。"
        ),
    ),
    (
        "운영 문서",
        "ko",
        (
            "\n"
            "## 계정 잠금 해제 절차\n"
            "1. 요청자의 신원을 사내 메신저로 확인하고 티켓({tk})을 생성합니다. 전화만으로는 처리하지 않습니다.\n"
            "2. 관리 화면에서 계정 상태를 확인합니다. 비밀번호를 5회 잘못 입력하면 15분 동안 잠깁니다.\n"
            "3. 임시 비밀번호는 시스템이 생성하여 화면에 한 번만 표시하며, 메일이나 채팅으로 보내지 않습니다.\n"
            "4. 사용자는 첫 로그인 때 비밀번호를 변경해야 합니다. 12자 이상, 최근 5개는 재사용할 수 없습니다.\n"
            "5. 인증 앱의 여섯 자리 숫자는 30초마다 바뀌므로 공유해도 소용이 없습니다.\n"
            "6. 처리 후 티켓에 시작 시각과 종료 시각을 기록합니다. 예: 2024-05-14 09:12 ~ 09:30\n"
            "토큰 유효 시간은 3600초, 갱신 토큰은 14일입니다. 비밀번호를 잊은 경우 로그인 화면의 재설정 메뉴를 "
            "이용하세요.\n"
            '자주 발생하는 오류: "비밀번호가 일치하지 않습니다"는 동기화가 끝나지 않았다는 뜻이며 5분 후 다시 '
            "시도합니다.\n"
            "공용 시스템의 비밀번호는 금고의 infra 항목에 있으며 문서나 위키에 적지 마세요. 위키에 적힌 값을 "
            "발견하면 즉시 삭제를 요청합니다.\n"
            "문의: support@example.co.kr, 서버 {fq} ({ip}), 포트 636. 버전 4.18.0, 커밋 {sha7}, 이미지 "
            "sha256:{sha256}"
        ),
    ),
    (
        "cloudtrail event",
        "en",
        """
{"eventVersion": "1.09", "userIdentity": {"type": "AssumedRole", "principalId": "AROA{bu17}:ci-runner",
 "arn": "arn:aws:sts::123456789012:assumed-role/ci/ci-runner", "accountId": "123456789012"},
 "eventTime": "{ts}", "eventSource": "secretsmanager.amazonaws.com", "eventName": "GetSecretValue",
 "awsRegion": "eu-central-1", "sourceIPAddress": "203.0.113.17", "userAgent": "aws-cli/2.15.40 Python/3.11.8",
 "requestParameters": {"secretId": "prod/ledger/db", "versionStage": "AWSCURRENT"}, "responseElements": null,
 "requestID": "{uuid}", "eventID": "{uuid#1}", "readOnly": true, "eventType": "AwsApiCall",
 "managementEvent": true, "recipientAccountId": "123456789012", "tlsDetails": {"tlsVersion": "TLSv1.3",
 "cipherSuite": "TLS_AES_128_GCM_SHA256", "clientProvidedHostHeader": "secretsmanager.eu-central-1.amazonaws.com"}}""",
    ),
    (
        "lock file",
        "en",
        """
"node_modules/@types/node": {
  "version": "18.2.0",
  "resolved": "https://packages.example.com/@types/node/-/node-18.2.0.tgz",
  "integrity": "sha512-{bs86}==",
  "dev": true
},
"node_modules/password-validator": {
  "version": "5.3.0",
  "resolved": "https://packages.example.com/password-validator/-/password-validator-5.3.0.tgz",
  "integrity": "sha512-{bs86#1}==",
  "dependencies": { "validator": "^13.7.0" }
},
"node_modules/jsonwebtoken": {
  "version": "9.0.2",
  "resolved": "https://packages.example.com/jsonwebtoken/-/jsonwebtoken-9.0.2.tgz",
  "integrity": "sha512-{bs86#2}==",
  "engines": { "node": ">=12", "npm": ">=6" }
}""",
    ),
    (
        "helm chart values doc",
        "en",
        (
            "\n"
            "| Key | Type | Default | Description |\n"
            "|-----|------|---------|-------------|\n"
            '| auth.existingSecret | string | `""` | name of a secret with the keys `password` and '
            "`postgres-password` |\n"
            "| auth.secretKeys.adminPasswordKey | string | `postgres-password` | key of the admin password |\n"
            "| auth.usePasswordFiles | bool | `false` | mount the passwords as files |\n"
            '| image.digest | string | `""` | e.g. sha256:{sha256} |\n'
            "| metrics.serviceMonitor.bearerTokenFile | string | "
            "`/var/run/secrets/kubernetes.io/serviceaccount/token` | file with the token |\n"
            "| tls.certKeyFilename | string | `tls.key` | private key file in the secret |\n"
            "| persistence.size | string | `8Gi` | size of the volume |\n"
            "| primary.podSecurityContext.fsGroup | int | `1001` | group id |\n"
            "| backup.cronjob.schedule | string | `@daily` | cron expression |\n"
            "Passwords left empty are generated (10 random characters) and kept across upgrades with `lookup`."
        ),
    ),
    (
        "chat export",
        "en",
        """
[09:12] Harriet: anyone else getting "password expired" on the jump host?
[09:13] Dylan: yes, policy is 90 days, you have to change it with passwd
[09:13] Harriet: it says "password is too similar to the old one" :(
[09:14] Maeve: use the generator in 1Password, 20 characters, done
[09:15] Dylan: also the token of the exporter on {h} expires today, see {tk}
[09:16] Harriet: where is the new one?
[09:16] Dylan: in the vault, secret/monitoring/exporter, I won't paste it here
[09:18] Maeve: 👍 and please don't put passwords into the wiki page again, we had that in {tk#1}
[09:20] Bot: Deploy of ledger 4.18.0 ({sha7}) to stg finished in 4m 12s, 0 errors, build 4412
[09:21] Harriet: works now, ssh ops@bastion.example.com uptime says 118 days""",
    ),
    (
        "prometheus rules",
        "en",
        """
groups:
  - name: auth
    rules:
      - alert: PasswordVerifyLatencyHigh
        expr: histogram_quantile(0.99, sum(rate(password_verify_seconds_bucket{job="auth"}[5m])) by (le)) > 0.8
        for: 10m
        labels: { severity: page, team: platform }
        annotations:
          summary: "p99 of password checks above 800 ms"
          runbook: https://wiki.example.com/x/118882211#PasswordVerifyLatencyHigh
      - alert: TokenIssueErrors
        expr: increase(token_issue_errors_total{code!="invalid_grant"}[15m]) > 25
        labels: { severity: ticket }
      - record: auth:login_failures:ratio_rate5m
        expr: sum(rate(login_failures_total{reason="bad_password"}[5m])) / sum(rate(login_total[5m]))
      - alert: VaultTokenExpiresSoon
        expr: vault_token_expiry_timestamp_seconds - time() < 86400""",
    ),
)
