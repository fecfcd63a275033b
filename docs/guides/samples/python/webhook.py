import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# The secret of the endpoint: whsec_…
SECRET = os.environ["WEBHOOK_SECRET"]


def verify(body, headers):
    """The event of a request that Postrider signed within the last 5 minutes; None for any other."""
    id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return None
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    signed = f"{id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # While the secret is replaced there are two signatures, separated by a blank.
    given = headers.get("webhook-signature", "").split(" ")
    if not any(hmac.compare_digest(expected.encode(), each.encode()) for each in given):
        return None
    return json.loads(body)


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        event = verify(body, self.headers)
        if event is not None:
            print(event["kind"], self.headers["webhook-id"], flush=True)
        self.send_response(400 if event is None else 204)
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 4000))), Handler).serve_forever()
