"""A camera on the network for tests: a small server of pictures, with faults."""

from __future__ import annotations

import threading
from base64 import b64decode
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2

from vision.frame import Image


class WebcamServer:
    """Serves ``/shot.jpg`` and ``/video``; what they show and what is wrong with them can be changed at any time."""

    def __init__(self, scene: Image) -> None:
        self.scene = scene
        self._sending = threading.Lock()
        self.stalled = threading.Event()
        self.truncated = 0
        self.secret = ""
        """``user:password``; empty: anybody may look."""
        self.lengths = True
        """Whether the parts of the stream say how long they are."""
        self.going = threading.Event()
        self.asked: list[str] = []
        self._server: ThreadingHTTPServer | None = None
        self._thread: threading.Thread | None = None
        self.port = 0

    def show(self, scene: Image) -> None:
        """From now on this is what pictures begin to be taken of; one that was under way has been sent."""
        with self._sending:
            self.scene = scene

    def plug(self) -> None:
        """Begin to serve."""
        bench = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None: ...

            def do_GET(self) -> None:  # the server's name
                bench.asked.append(self.path)
                with suppress(BrokenPipeError, ConnectionResetError):
                    bench._serve(self)

        self.going.set()
        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self._server.daemon_threads = False
        self._server.block_on_close = True
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, name="webcam")
        self._thread.start()

    def pull(self) -> None:
        """Cut every connection and serve no more."""
        self.going.clear()
        self.stalled.set()
        if self._server is not None and self._thread is not None:
            self._server.shutdown()
            self._thread.join()
            self._server.server_close()
            self._server = None
        self.stalled.clear()

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        if self.secret and b64decode(handler.headers.get("Authorization", "").removeprefix("Basic ")).decode() != self.secret:
            handler.send_error(401)
            return
        path = handler.path.split("?")[0]
        if path == "/page":
            handler.send_response(200)
            handler.send_header("Content-Type", "text/html")
            handler.end_headers()
            handler.wfile.write(b"<html></html>")
        elif path == "/shot.jpg":
            self._snapshot(handler)
        elif path == "/video":
            self._stream(handler)
        else:
            handler.send_error(404)

    def _snapshot(self, handler: BaseHTTPRequestHandler) -> None:
        data = self._jpeg()
        handler.send_response(200)
        handler.send_header("Content-Type", "image/jpeg")
        handler.end_headers()
        if self.stalled.is_set():
            # A byte now and then: every single wait is short.
            for at in range(200):
                if not self.going.is_set() or not self.stalled.is_set():
                    return
                handler.wfile.write(data[at : at + 1])
                threading.Event().wait(0.02)
            return
        handler.wfile.write(data)

    def _stream(self, handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "multipart/x-mixed-replace; boundary=--picture")
        handler.end_headers()
        while self.going.is_set():
            if not self.stalled.is_set():
                with self._sending:
                    data = self._jpeg()
                    length = f"Content-Length: {len(data)}\r\n" if self.lengths else ""
                    handler.wfile.write(f"--picture\r\nContent-Type: image/jpeg\r\n{length}\r\n".encode() + data + b"\r\n")
            threading.Event().wait(0.02)

    def _jpeg(self) -> bytes:
        data = bytes(cv2.imencode(".jpg", self.scene, (cv2.IMWRITE_JPEG_QUALITY, 97))[1])
        if self.truncated:
            self.truncated -= 1
            return data[: len(data) // 2]
        return data
