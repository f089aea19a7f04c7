"""Settings shared by the services of the Hub.

Python services import this module; Go services read the same environment
variables and have the same defaults.

Every setting can be overridden by an environment variable of the same name.
The values below are the production defaults of Hub 2026.3 (2026-09-01).
Change a default only together with a line in the release notes, and tell
Lucia (SRE lead), because the runbooks quote these numbers.
"""

import os


def _int(name: str, default: int) -> int:
    """Return the environment variable *name* as an integer, or *default*."""
    value = os.environ.get(name, "")
    return int(value) if value.strip() else default


# --- Region -----------------------------------------------------------------

# "ew1" (Ireland) or "an1" (Japan). There is no default on purpose: a service
# that does not know its region must not start (ADR-005).
TIDEWELL_REGION = os.environ.get("TIDEWELL_REGION")

# --- Retries ----------------------------------------------------------------

# How often a failed database write or an HTTP call between services is tried
# before the message goes to the dead-letter topic.
# Raised from 3 to 5 in Hub 2025.4, because writes have to survive the lock waits
# of the nightly compression job (HUB-1322).
TIDEWELL_MAX_RETRIES = _int("TIDEWELL_MAX_RETRIES", 5)

# First pause between two attempts, in seconds; doubles up to the maximum. The
# maximum matters only if TIDEWELL_MAX_RETRIES is set above 5.
TIDEWELL_RETRY_BACKOFF_SECONDS = 0.5
TIDEWELL_RETRY_BACKOFF_MAX_SECONDS = 10

# --- Devices ----------------------------------------------------------------

# A gateway counts as offline after this many seconds without a heartbeat.
# 900 until Hub 2025.4, 360 since Hub 2026.1 (HUB-1423).
TIDEWELL_GATEWAY_OFFLINE_AFTER_SECONDS = _int(
    "TIDEWELL_GATEWAY_OFFLINE_AFTER_SECONDS", 360
)

# Check-ins a sensor may miss before it is called silent.
TIDEWELL_SILENT_AFTER_CHECKINS = 3

# Largest MQTT message that ingestd accepts, in bytes. Keep in step with the Go
# constant maxMessageBytes in ingestd/admission.go.
TIDEWELL_MAX_MESSAGE_BYTES = 2048

# Readings per database transaction in the normaliser.
TIDEWELL_MAX_BATCH_READINGS = 500

# --- Alerts -----------------------------------------------------------------

# Events of one sensor and rule within this window belong to one alert.
TIDEWELL_ALERT_DEDUP_WINDOW_SECONDS = 900

# Unconfirmed critical alerts go to the next contact after this time.
# 600 until Hub 2026.2, 300 since Hub 2026.3 (HUB-1577).
TIDEWELL_ESCALATION_AFTER_SECONDS = _int("TIDEWELL_ESCALATION_AFTER_SECONDS", 300)

# Events older than this never notify anybody (HUB-1503).
TIDEWELL_MAX_EVENT_AGE_SECONDS = 1800

# SMS per contact and hour. Voice calls are not limited.
TIDEWELL_SMS_PER_CONTACT_PER_HOUR = 6

# --- API and webhooks -------------------------------------------------------

# Requests per minute and token; 120 before Hub 2026.2 (HUB-1488).
TIDEWELL_API_RATE_LIMIT_PER_MINUTE = _int("TIDEWELL_API_RATE_LIMIT_PER_MINUTE", 300)

# Seconds that a webhook receiver has for its answer.
TIDEWELL_WEBHOOK_TIMEOUT_SECONDS = 8

# --- Retention --------------------------------------------------------------

# Days that raw frames are kept; 180 until 31 March 2026. The data retention
# policy decides this number, not the Platform team.
TIDEWELL_RAW_RETENTION_DAYS = _int("TIDEWELL_RAW_RETENTION_DAYS", 90)
