"""A match told to a broker over MQTT: a club sees its boards elsewhere, Home Assistant finds them by itself.

`messages.py` says what is published where, `broker.py` is the one place that knows the vendor's client, and
`publishing.py` joins them to a match. Nothing is ever taken in from a broker but who else has a board's name.
"""

from firmware.mqtt.publishing import Publishing, Unpublished, open_publishing

__all__ = ["Publishing", "Unpublished", "open_publishing"]
