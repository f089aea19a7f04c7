"""onnxruntime, told to keep to itself.

Its builds for Linux (seen with 1.31) note what they run in a file below ~/.cache, with an id of the device, and report
it to their maker. Nothing leaves from here unasked; the library looks at this variable once, when it is loaded (its
own `disable_telemetry_events` comes too late for the file).
"""

import os

os.putenv("ORT_DISABLE_TELEMETRY", "1")

import onnxruntime  # it must find the variable set

__all__ = ["onnxruntime"]
