"""Vendor tokens: registries of packages and others."""

from tests.masking.operations.template import Row

ROWS: tuple[Row, ...] = (
    (
        "github / refresh response",
        "en",
        """
POST /login/oauth/access_token returned
access_token={!ghu}&expires_in=28800&refresh_token={!ghr}&token_type=bearer
so the app flow itself is fine.""",
        "expires_in=28800|so the app flow itself is fine.",
    ),
    (
        "gitlab / private-token header",
        "de",
        """
Kurz zum Testen: curl --header "PRIVATE-TOKEN: {!glpat}" "https://gitlab.example.com/api/v4/projects?membership=true"
Kommt bei euch auch 401?""",
        "Kurz zum Testen|Kommt bei euch auch 401?",
    ),
    (
        "gitlab / routable token",
        "en",
        """
new style token after the 17.x upgrade: `{!glpat2}` - is the middle part supposed to be that long?""",
        "new style token after the 17.x upgrade|supposed to be that long?",
    ),
    (
        "gitlab / runner config.toml",
        "en",
        """
concurrent = 4
[[runners]]
  name = "docker-{h}"
  url = "https://gitlab.example.com"
  token = "{!glrt}"
  executor = "docker\"""",
        "concurrent = 4|https://gitlab.example.com",
    ),
    (
        "gitlab / deploy token docker login",
        "it",
        """
Sul server nuovo ho fatto: docker login -u gitlab+deploy-token-7 -p {!gldt} registry.example.com
Login Succeeded, quindi la rete va bene.""",
        "Sul server nuovo ho fatto|quindi la rete va bene.",
    ),
    (
        "gitlab / job token in log",
        "en",
        """
$ echo "CI_JOB_TOKEN=$CI_JOB_TOKEN" # who left this in?!
CI_JOB_TOKEN={!glcbt}
Cleaning up project directory and file based variables""",
        "who left this in?!|Cleaning up project directory",
    ),
    (
        "gitlab / trigger url",
        "en",
        """
curl -X POST -F token={!glptt} -F ref=main https://gitlab.example.com/api/v4/projects/412/trigger/pipeline""",
        "-F ref=main",
    ),
    (
        "gitlab / runner register",
        "tr",
        """
Yeni runner için: gitlab-runner register --url https://gitlab.example.com --registration-token {!gr13} --executor shell
Bitince haber ver.""",
        "Yeni runner için|Bitince haber ver.",
    ),
    (
        "gitlab / agent helm",
        "en",
        """
helm upgrade --install agent gitlab/gitlab-agent -n gitlab-agent \\
  --set config.token={!glagent} \\
  --set config.kasAddress=wss://kas.example.com""",
        "helm upgrade --install agent|wss://kas.example.com",
    ),
    (
        "bitbucket / app password",
        "en",
        """
git push https://ops-bot:{!atbb}@bitbucket.org/oakford/infra.git HEAD:main
remote: Invalid credentials""",
        "remote: Invalid credentials",
    ),
    (
        "atlassian / jira script",
        "en",
        """
JIRA_USER=jira-bot
JIRA_API_TOKEN={!atatt}
JIRA_BASE=https://oakford.atlassian.net
./sync_tickets.sh --project OPS""",
        "https://oakford.atlassian.net|--project OPS",
    ),
    (
        "npm / npmrc",
        "en",
        """
CI was failing with E401, the .npmrc needs
//packages.example.com/npm/:_authToken={!npm}
@oakford:registry=https://packages.example.com/npm/
always-auth=true""",
        "CI was failing with E401|always-auth=true",
    ),
    (
        "npm / dockerfile",
        "en",
        """
RUN npm config set //packages.example.com/npm/:_authToken={!npm} && npm ci --omit=dev && npm cache clean --force""",
        "npm ci --omit=dev|npm cache clean --force",
    ),
    (
        "pypi / pypirc",
        "en",
        """
[pypi]
username = __token__
password = {!pypi}
[testpypi]
repository = https://packages.example.com/legacy/""",
        "[testpypi]|https://packages.example.com/legacy/",
    ),
    (
        "pypi / twine",
        "nl",
        """
twine upload -u __token__ -p {!pypi} dist/*
Daarna staat versie {ver} online, check even de changelog.""",
        "twine upload|check even de changelog.",
    ),
    (
        "rubygems / credentials",
        "en",
        """
$ cat ~/.gem/credentials
---
:rubygems_api_key: {!gems}
$ gem push ledger-client-{ver}.gem""",
        "cat ~/.gem/credentials|gem push ledger-client",
    ),
    (
        "crates.io / cargo login",
        "en",
        """
cargo login {!cio}
cargo publish -p ledger-proto --dry-run   # remove --dry-run when green""",
        "cargo publish -p ledger-proto",
    ),
    (
        "nuget / push",
        "en",
        (
            "\n"
            "dotnet nuget push bin/Release/Ledger.Client.{ver}.nupkg --api-key {!nuget} --source "
            "https://api.nuget.org/v3/index.json"
        ),
        "dotnet nuget push|https://api.nuget.org/v3/index.json",
    ),
    (
        "docker hub / login",
        "en",
        """
echo {!dckr} | docker login -u oakfordci --password-stdin
Login Succeeded""",
        "docker login -u oakfordci|Login Succeeded",
    ),
    (
        "docker hub / org token in yaml",
        "en",
        """
registries:
  - name: hub
    username: oakford
    token: '{!dckroat}'
    rateLimit: 200""",
        "username: oakford|rateLimit: 200",
    ),
    (
        "jfrog / pip.conf",
        "en",
        """
[global]
repository = https://svc-pip:{!akcp}@oakford.jfrog.io/artifactory/api/simple
timeout = 30""",
        "[global]|timeout = 30",
    ),
    (
        "jfrog / reference token",
        "en",
        """
curl -H "X-JFrog-Art-Api: {!reftkn}" -T build/libs/app.jar "https://oakford.jfrog.io/artifactory/libs/app.jar\"""",
        "-T build/libs/app.jar",
    ),
)
