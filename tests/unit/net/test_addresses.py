from ipaddress import ip_address

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.errors import Misconfigured, Refused
from net.addresses import AllowList, special, vet
from net.targets import Target, redirected, target_of

PUBLIC = [
    *("8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1"),
    *("168.63.129.15", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0"),
    *("192.88.98.1", "192.167.255.255"),
    *("192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255"),
    *("2001:200::1", "2003::1", "2606:4700::1111", "2c0f::1", "3ffe::1"),
]


@pytest.mark.parametrize("text", PUBLIC)
def test_a_public_address_passes(text: str) -> None:
    assert special(ip_address(text)) is None
    assert vet(target_of("https://example.com/"), [text], AllowList()) == (ip_address(text),)


@settings(database=None)
@given(st.ip_addresses())
def test_what_python_calls_not_global_is_never_public(address: object) -> None:
    found = ip_address(str(address))
    assert found.is_global or special(found)


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("http://127。0。0。1/", "127.0.0.1"),
        ("http://[::ffff:127.0.0.1]/", "::ffff:7f00:1"),
        ("http://[0:0:0:0:0:0:0:1]/", "::1"),
        ("http://[::127.0.0.1]/", "::7f00:1"),
    ],
)
def test_a_spelling_of_loopback_that_parses_is_judged_as_the_address_it_is(text: str, host: str) -> None:
    target = target_of(text)
    assert str(target.literal) == str(ip_address(host))
    with pytest.raises(Refused, match="may not be fetched"):
        vet(target, [str(target.literal)], AllowList())


ODD = "htps:/@.[]%#?\\0x127abü。①\u00ad\u200b\ud800\x00\t "


@settings(database=None)
@given(st.text(alphabet=ODD) | st.text(alphabet=ODD).map("http://".__add__))
def test_any_text_is_a_target_or_refused(text: str) -> None:
    try:
        target = target_of(text)
    except Refused:
        return
    assert target.url.host
    assert "@" not in target.url.netloc.decode()
    assert target_of(str(target.url)) == target


@pytest.mark.parametrize(
    ("text", "url", "host", "port"),
    [
        ("HTTP://Example.COM:80/A?b=C#d", "http://example.com/A?b=C", "example.com", 80),
        ("https://example.com", "https://example.com/", "example.com", 443),
        ("https://example.com:443?x", "https://example.com/?x", "example.com", 443),
        ("https://münchen.de/ß", "https://xn--mnchen-3ya.de/%C3%9F", "xn--mnchen-3ya.de", 443),
        ("http://wiki:8080/a b", "http://wiki:8080/a%20b", "wiki", 8080),
        ("http://_dmarc.example.com/", "http://_dmarc.example.com/", "_dmarc.example.com", 80),
        ("http://[2606:4700:0::1111]/", "http://[2606:4700:0::1111]/", "2606:4700::1111", 80),
        ("http://1.1.1.1/a/../b", "http://1.1.1.1/b", "1.1.1.1", 80),
        ("http://host/?u=a@b:c", "http://host/?u=a@b:c", "host", 80),
    ],
)
def test_a_plain_url_is_read(text: str, url: str, host: str, port: int) -> None:
    target = target_of(text)
    assert (str(target.url), target.host, target.port) == (url, host, port)


def test_messages_show_neither_password_nor_query() -> None:
    with pytest.raises(Refused) as caught:
        target_of("http://user:hunter2@example.com/")
    assert "hunter2" not in str(caught.value)
    assert target_of("https://example.com/a%0ab?token=hunter2").shown == "https://example.com/a%0ab"
    assert len(target_of(f"https://example.com/{'a' * 500}").shown) == 200


@pytest.mark.parametrize(
    ("location", "url"),
    [
        ("/b", "https://example.com/b"),
        ("c?d", "https://example.com/dir/c?d"),
        ("//other.test/x", "https://other.test/x"),
        ("https://other.test", "https://other.test/"),
        ("?q", "https://example.com/dir/page?q"),
        ("#top", "https://example.com/dir/page"),
        ("///x", "https://example.com/x"),
        ("https:///x", "https://example.com/x"),
    ],
)
def test_a_redirect_is_joined(location: str, url: str) -> None:
    assert str(redirected(target_of("https://example.com/dir/page"), location).url) == url


@pytest.mark.parametrize(
    "location",
    [
        *("http://example.com/", "ftp://example.com/", "https://a@b/", "//a\\@b/", "\\\\evil.test/", "//0x7f.1/"),
        *(
            "/\\evil.test/",
            "/a\\b",
            "https://exam\tple.com",
            "javascript:x",
            "//[::1",
            "//[::1]:99999/",
            "http:",
            "\x00",
        ),
    ],
)
def test_a_redirect_to_something_odd_or_less_safe_is_refused(location: str) -> None:
    with pytest.raises(Refused):
        redirected(target_of("https://example.com/dir/page"), location)


def allowed(url: str, addresses: list[str], *entries: str) -> bool:
    try:
        return bool(vet(target_of(url), addresses, AllowList.parse(entries)))
    except Refused:
        return False


@pytest.mark.parametrize(
    ("url", "address", "entries"),
    [
        ("http://wiki/", "10.1.2.3", ["wiki", "10.0.0.0/8"]),
        ("https://WIKI/", "10.1.2.3", [" Wiki ", "10.1.2.0/24"]),
        ("http://wiki:8080/", "10.1.2.3", ["wiki:8080", "10.0.0.0/8"]),
        ("http://wiki:8080/", "8.8.8.8", ["wiki:8080"]),
        ("http://wiki/", "10.1.2.3", ["wiki:80", "10.0.0.0/8"]),
        ("http://münchen.de/", "10.1.2.3", ["münchen.de", "10.0.0.0/8"]),
        ("http://wiki/", "127.0.0.1", ["wiki", "127.0.0.0/8"]),
        ("http://wiki/", "169.254.169.254", ["wiki", "169.254.169.254/32"]),
        ("http://wiki/", "fd12::1", ["wiki", "fd00::/8"]),
        ("http://10.1.2.3/", "10.1.2.3", ["10.1.2.3"]),
        ("http://127.0.0.1:99/", "127.0.0.1", ["127.0.0.1:99"]),
        ("http://[::1]:99/", "::1", ["[::1]:99"]),
        ("http://[::1]/", "::1", ["::1"]),
        ("http://wiki/", "64:ff9b::808:808", ["wiki", "64:ff9b::/96"]),
    ],
)
def test_the_operator_can_open(url: str, address: str, entries: list[str]) -> None:
    assert allowed(url, [address], *entries)


@pytest.mark.parametrize(
    ("url", "address", "entries"),
    [
        ("http://wiki/", "10.1.2.3", ["wiki"]),
        ("http://wiki/", "10.1.2.3", ["10.0.0.0/8"]),
        ("http://wiki/", "10.1.2.3", ["wiki", "192.168.0.0/16"]),
        ("http://wiki/", "10.1.2.3", ["wiki:8080", "10.0.0.0/8"]),
        ("http://wiki:8080/", "10.1.2.3", ["wiki", "10.0.0.0/8"]),
        ("http://wiki:8080/", "8.8.8.8", ["wiki"]),
        ("https://wiki:80/", "8.8.8.8", []),
        ("http://wiki:443/", "8.8.8.8", []),
        ("http://wiki:22/", "8.8.8.8", ["wiki:8080"]),
        ("http://sub.wiki/", "10.1.2.3", ["wiki", "10.0.0.0/8"]),
        ("http://10.1.2.3/", "10.1.2.3", ["10.0.0.0/8"]),
        ("http://wiki/", "127.0.0.1", ["wiki", "127.0.0.1"]),
        ("http://wiki/", "100.100.100.200", ["wiki", "100.64.0.0/10"]),
        ("http://wiki/", "fd00:ec2::254", ["wiki", "fc00::/7"]),
        ("http://wiki/", "169.254.169.254", ["wiki", "169.254.0.0/16"]),
        ("http://wiki/", "64:ff9b::7f00:1", ["wiki", "64:ff9b::/96"]),
        ("http://wiki/", "::ffff:10.0.0.1", ["wiki", "10.0.0.0/8"]),
        ("http://wiki/", "fe80::1%eth0", ["wiki", "fe80::/10"]),
        ("http://wiki/", "not an address", ["wiki"]),
    ],
)
def test_half_of_a_permission_opens_nothing(url: str, address: str, entries: list[str]) -> None:
    assert not allowed(url, [address], *entries)


def test_every_address_counts() -> None:
    assert allowed("http://wiki/", ["8.8.8.8", "10.0.0.1"], "wiki", "10.0.0.0/8")
    assert not allowed("http://wiki/", ["8.8.8.8", "10.0.0.1"])
    assert not allowed("http://wiki/", ["10.0.0.1", "192.168.0.1"], "wiki", "10.0.0.0/8")
    assert not allowed("http://wiki/", [], "wiki")


def test_a_refusal_names_the_setting_and_not_the_address() -> None:
    with pytest.raises(Refused) as caught:
        vet(target_of("http://wiki:81/"), ["10.9.8.7"], AllowList.parse(["wiki:81"]))
    assert "private network" in caught.value.why
    assert "`wiki:81`" in caught.value.next_step
    assert "KB_AGENT_FETCH_ALLOW" in caught.value.next_step
    assert "10.9.8.7" not in str(caught.value)


@pytest.mark.parametrize(
    "entry",
    [
        *("", " ", "0.0.0.0/0", "::/0", "10.0.0.0/7", "10.0.0.1/8", "10.0.0.0/33", "2000::/2", "8.0.0.0/5"),
        *("http://wiki/", "wiki/path", "*.corp", "wiki:", "wiki:0", "wiki:65536", "wiki:x", "a@b", "[::1", "127.1"),
        *("[::1]:", "a b", "wiki.", "fe80::1%eth0", "-a"),
    ],
)
def test_an_entry_that_cannot_be_meant_is_reported(entry: str) -> None:
    with pytest.raises(Misconfigured, match="KB_AGENT_FETCH_ALLOW"):
        AllowList.parse(["wiki", entry])


def test_a_host_is_named_on_its_port_only() -> None:
    hosts = AllowList.parse(["wiki", "chat:8443"])
    named = ("http://wiki/", "https://wiki/", "https://chat:8443/", "http://chat:8443/")
    assert all(hosts.names(target_of(url)) for url in named)
    assert not any(hosts.names(target_of(url)) for url in ("http://wiki:81/", "https://chat/", "http://other/"))


def test_duplicates_are_dialled_once() -> None:
    target = Target(target_of("http://a.test/").url, "a.test", 80)
    assert len(vet(target, ["8.8.8.8", "8.8.8.8", "1.1.1.1"], AllowList())) == 2
