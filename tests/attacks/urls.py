"""Addresses that lead to where a question or a page must not lead: inside the network, or to nobody knows what."""

from collections.abc import Mapping
from dataclasses import dataclass

from net.targets import MAX_URL

PUBLIC = "93.184.215.14"
"""Where a host is that may be asked."""
START = "http://public.test/"
"""What redirects: it lies at PUBLIC."""


@dataclass(frozen=True)
class UrlAttack:
    """A URL. addresses: of its host, for each time the name is asked for; the last ones stay. redirect: where a page at
    START leads, which is asked for instead."""

    url: str
    addresses: tuple[tuple[str, ...], ...] = (("1.0.0.1",),)
    redirect: str = ""


SPECIAL = (
    *("0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.100.100.200"),
    *("100.127.255.255", "127.0.0.1", "127.1.2.3"),
    *("127.255.255.255", "168.63.129.16", "169.254.0.1", "169.254.169.254", "169.254.170.2", "172.16.0.1"),
    *("172.31.255.255", "192.0.0.1"),
    *("192.0.0.9", "192.0.0.170", "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.0.1"),
    *("192.168.255.255", "198.18.0.1", "198.19.255.255"),
    *("198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"),
    *("::", "::1", "::127.0.0.1", "::8.8.8.8", "::ffff:127.0.0.1", "::ffff:8.8.8.8"),
    *("::ffff:0:7f00:1", "64:ff9b::7f00:1", "64:ff9b::808:808"),
    *("64:ff9b:1::1", "64:ff9b:1:ffff::7f00:1", "100::1", "100:0:0:1::1", "2001::1", "2001:0:53aa:64c::1"),
    *("2001:2::1", "2001:10::1", "2001:20::1"),
    *("2001:30::1", "2001:db8::1", "2002:7f00:1::1", "2002:808:808::1", "3fff::1", "3fff:fff::1"),
    *("4000::1", "5f00::1", "8000::1", "fc00::1", "fd00::1"),
    *("fd00:ec2::254", "fd20:ce::254", "fe80::1", "febf::1", "fec0::1", "feff::1"),
    *("ff02::1", "ff0e::1"),
)
"""Addresses that are not public."""

HOSTILE_URLS = (
    # not http or https, or not absolute
    *("", " ", "example.com", "//example.com/", "/etc/passwd", "http:example.com", "http:/example.com"),
    *("http://", "http:///path", "https://?x", "ftp://example.com/", "file:///etc/passwd", "gopher://example.com/"),
    *("data:text/html,x", "javascript:alert(1)", "jar:http://example.com!/", "ws://example.com/", "httpx://a/"),
    # user names, and what looks like a host before one
    *("http://user@example.com/", "http://user:pass@example.com/", "http://@example.com/", "http://:@127.0.0.1/"),
    *("http://example.com@127.0.0.1/", "http://example.com:80@127.0.0.1/", "http://127.0.0.1:80\\@example.com/"),
    *("http://example.com%40127.0.0.1/", "http://a@b@example.com/", "http://example.com\\.evil.test/"),
    # characters that some readers drop
    *("http://exa\tmple.com/", "http://exam\nple.com/", "http://example.com/\r\nHost: evil", "\thttp://example.com/"),
    *("http://example.com/ ", " http://example.com/", "http://example.com\x00.evil.test/", "http:\\\\example.com\\"),
    *("http://exa mple.com/", "http://127.0.0.1\u2028/", "http://\u00a0example.com/", "ht\ntp://example.com/"),
    # numbers as hosts
    *("http://2130706433/", "http://0x7f000001/", "http://0x7f.1/", "http://0177.0.0.1/", "http://017700000001/"),
    *("http://127.1/", "http://127.0.1/", "http://0/", "http://1.2.3.4.5/", "http://256.256.256.256/"),
    *("http://127.0.0.01/", "http://0x7f.0x0.0x0.0x1/", "http://127.0.0.0x1/", "http://0x/", "http://a.0x7f/"),
    *("http://example.1/", "http://１２７.0.0.1/", "http://①②⑦.0.0.1/", "http://1e3/../%31/%2e/\\"),
    # dots, percent signs, labels
    *("http://localhost./", "http://example.com./", "http://127.0.0.1./", "http://.example.com/", "http://a..b/"),
    *("http://%6c%6f%63%61%6c/", "http://127%2e0%2e0%2e1/", "http://-a.test/", "http://a-.test/", "http://a_.-/"),
    *(f"http://{'a' * 64}.test/", f"http://{'a.' * 127}test/", "http://xn--\u00fc/", "http://a\u200bb.test/"),
    *("http://ⓔxample.com/", "http://exam\u00adple.com/", "http://*.example.com/", "http://a,b/", "http://a;b/"),
    # brackets and zone ids
    *("http://[::1/", "http://::1/", "http://[fe80::1%25eth0]/", "http://[fe80::1%eth0]/", "http://[::1]x/"),
    *("http://[v1.fe80::a]/", "http://[127.0.0.1]/", "http://[example.com]/", "http://[]/", "http://[::1]@a/"),
    # ports
    *("http://example.com:/", "http://example.com:0/", "http://example.com:65536/", "http://example.com:+80/"),
    *("http://example.com:8_0/", "http://example.com:８０/", "http://example.com:80:81/", "http://example.com:-1/"),
    *("http://example.com:http/", f"http://example.com/{'a' * MAX_URL}", "http://a/\ud800"),
)
"""URLs that readers disagree on, or that are none."""

REDIRECTS = (
    *("http://127.0.0.1/", "http://127.0.0.1:22/", "http://localhost/", "http://10.0.0.1/", "http://[::1]/"),
    *("http://169.254.169.254/latest/meta-data/", "http://2130706433/", "file:///etc/passwd", "//user@host/"),
    *("http://[::ffff:127.0.0.1]/", "http://127.0.0.1\\@example.com/", "gopher://127.0.0.1:6379/_x", "http://0/"),
)
"""Locations that a page may not lead to."""

MIXED = (
    ("1.1.1.1", "127.0.0.1"),
    ("1.1.1.1", "10.0.0.1", "8.8.8.8"),
    ("2606:4700::1111", "::1"),
    ("2606:4700::1111", "::ffff:127.0.0.1"),
    (),
)
"""Addresses of one name, of which one is special."""


def _host(address: str) -> str:
    return f"[{address}]" if ":" in address else address


URLS: Mapping[str, UrlAttack] = {
    **{f"a name at {each}": UrlAttack("http://evil.test/", ((each,),)) for each in SPECIAL},
    **{f"{each} itself": UrlAttack(f"http://{_host(each)}/", ((each,),)) for each in SPECIAL},
    **{ascii(each)[:80]: UrlAttack(each) for each in HOSTILE_URLS},
    **{f"a redirect to {each}": UrlAttack(START, redirect=each) for each in REDIRECTS},
    **{f"a name at {each}": UrlAttack("https://mixed.test/", (each,)) for each in MIXED},
    "a name that moves inside": UrlAttack(START, ((PUBLIC,), ("169.254.169.254",)), "/again"),
    "another port": UrlAttack("http://evil.test:6379/"),
    "the port of the other scheme": UrlAttack("https://evil.test:80/"),
}

TRIMMED_URLS = {name: each for name, each in URLS.items() if each.url == each.url.strip()}
"""For what drops blanks around an argument before it reads it."""

SERVICE_URLS: Mapping[str, str] = {
    **{name: each.redirect or each.url for name, each in URLS.items()},
    **{
        each: each
        for each in (
            *("smba.trafficmanager.net", "http://smba.trafficmanager.net/", "https://smba.trafficmanager.net:8443/"),
            *("https://smba.trafficmanager.net.evil.example/", "https://evil.example/smba.trafficmanager.net"),
            *("https://evilbotframework.com/", "https://botframework.com.evil.example/"),
            *("https://a@smba.trafficmanager.net/", "https://smba.trafficmanager.net@evil.example/"),
            *("https://smba.trafficmanager.net/?x", "https://[", "file:///x", "http://127.0.0.1:4000/"),
            *("https://localhost/", "https://169.254.169.254/", "https://smba.trafficmanager.net:x/"),
        )
    },
}
"""What a request to Teams' endpoint may name as the service that is replied to."""

WIKI = "https://wiki.example"
"""The configured Confluence."""

PAGE_URLS: Mapping[str, str] = {
    **{name: each.redirect or each.url for name, each in URLS.items()},
    **{
        each: each
        for each in (
            *("https://wiki.example@evil.test/pages/1", "https://wiki.example.evil.test/pages/1"),
            *("https://evil.test/https://wiki.example/pages/1", "https://evil.test#@wiki.example/pages/1"),
            *("https://evil.test\\@wiki.example.evil.test/1", "https://evil.test?@wiki.example/pages/1"),
            *("https://wiki.example\u3002evil.test/pages/1", "https://xwiki.example/pages/1"),
        )
    },
}
"""What may be named as a page of the configured Confluence and is none."""
