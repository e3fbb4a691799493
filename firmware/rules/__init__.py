"""Set & Match as a pure engine: no clock, no I/O, no pixel and no polygon lives here."""
