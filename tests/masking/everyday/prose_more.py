"""More passwords in sentences: odd word order, hints around, two passwords in one message."""

PROSE_MORE = r"""
=== two accounts | en
Accounts for the trade fair: viewer / <<pl>> and editor / <<rnd>>, [~both passwords end on Sunday~].
=== value first | en
<<w>> is the password for the shared mailbox, [~at least it was last week~].
=== typed it wrong | en
careful, [~caps lock~]: the password is <<ppd>> with dots between the words, no spaces
=== in brackets | en
Open the [~supplier contract.pdf~] (password: <<leet>>) and check page 4 please.
=== value first | de
<<w>> ist das Passwort fürs Sammelpostfach, [~zumindest war es das letzte Woche~].
=== in brackets | de
Im Anhang die [~Gehaltsliste.zip~] (Kennwort: <<leet>>), bitte bis Mittwoch prüfen.
=== two accounts | de
[~Für die Schulung gibt es zwei Zugänge~]: gast mit Passwort <<pl>>, trainer mit Passwort <<rnd>>.
=== in brackets | fr
Ci-joint le [~contrat fournisseur.pdf~] (mot de passe : <<leet>>), à relire avant jeudi.
=== value first | fr
<<w>>, c'est le mot de passe de la boîte partagée, [~je crois qu'il n'a pas changé~].
=== in brackets | es
Adjunto el [~contrato.pdf~] (contraseña: <<leet>>), revísalo antes del jueves.
=== in brackets | pt
Segue o [~contrato.pdf~] (senha: <<leet>>), revisa até quinta-feira, por favor.
=== in brackets | it
Allego il [~contratto.pdf~] (password: <<leet>>), da rileggere entro giovedì.
=== in brackets | nl
Bijgaand het [~contract.pdf~] (wachtwoord: <<leet>>), graag voor donderdag nalezen.
=== in brackets | pl
W załączniku [~umowa.pdf~] (hasło: <<leet>>), proszę sprawdzić do czwartku.
=== in brackets | ru
Во вложении [~договор.pdf~] (пароль: <<leet>>), проверьте до четверга.
=== in brackets | tr
Ekte [~sözleşme.pdf~] var (şifresi: <<leet>>), perşembeye kadar bakar mısınız?
=== in brackets | zh
附件是[~供应商合同的扫描件~](打开密码:<<leet>>),请在周四之前看完并回复我。
=== in brackets | ja
添付の[~契約書を木曜日までにご確認ください~](パスワード:<<leet>>)。よろしくお願いします。
=== in brackets | ko
첨부한 [~계약서를 목요일까지 확인해 주세요~] (비밀번호: <<leet>>). 감사합니다.
"""
