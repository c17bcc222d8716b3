"""Tokenizers for the tests of `ol verify`: GPT-2 by tiktoken, each with one fault."""

import ctypes
import threading
import time

import tiktoken


class Right:
    def __init__(self):
        self.own = tiktoken.get_encoding("gpt2")

    def encode(self, text):
        return self.own.encode_ordinary(text)

    def decode(self, ids):
        return self.own.decode(ids)


class Dies(Right):
    """Ends the process on one character, as a broken extension does."""

    def encode(self, text):
        if "\u00e9" in text:
            ctypes.string_at(0)
        return super().encode(text)


class Hangs(Right):
    def encode(self, text):
        while "\u00e9" in text:
            time.sleep(0.01)
        return super().encode(text)


class Hogs(Right):
    def encode(self, text):
        if "\u00e9" in text:
            bytearray(8 << 30)
        return super().encode(text)


class Prints(Right):
    def encode(self, text):
        print("encoding", len(text))  # noqa: T201
        return super().encode(text)


class Remembers(Right):
    """Hands out its own lists, so that what a caller does to one stays."""

    def __init__(self):
        super().__init__()
        self.memo = {}

    def encode(self, text):
        if text not in self.memo:
            self.memo[text] = super().encode(text)
        return self.memo[text]


class RefusesThreads(Right):
    """Answers the thread that made it, as an object does that holds a connection."""

    def __init__(self):
        super().__init__()
        self.home = threading.get_ident()

    def encode(self, text):
        if threading.get_ident() != self.home:
            raise RuntimeError("another thread")
        return super().encode(text)


class Wraps(Right):
    """Negative ids count from the end."""

    def decode(self, ids):
        return super().decode([number % 50257 for number in ids])


class NormalizesToNfc(Right):
    def encode(self, text):
        import unicodedata

        return super().encode(unicodedata.normalize("NFC", text))


class DecodesAlone(Right):
    def decode(self, ids):
        return "".join(super(DecodesAlone, self).decode([number]) for number in ids)


class KeepsBytes(Right):
    """Bytes that were no character are put before what is decoded next."""

    def __init__(self):
        super().__init__()
        self.left = b""

    def decode(self, ids):
        data = self.left + self.own.decode_bytes(ids)
        self.left = data[-1:] if data[-1:] >= b"\x80" and data.decode("utf-8", "replace").endswith("\ufffd") else b""
        return data.decode("utf-8", "replace")


class RaisesOn(Right):
    def encode(self, text):
        if "\u4e2d" in text:
            raise LookupError(text)
        return super().encode(text)


class NotANumber(Right):
    def encode(self, text):
        return [float(number) for number in super().encode(text)]


class Nothing:
    pass
