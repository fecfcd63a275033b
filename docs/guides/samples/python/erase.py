import json
import os
import urllib.parse
import urllib.request


def call(method, path):
    request = urllib.request.Request(
        os.environ["POSTRIDER_URL"] + path,
        method=method,
        headers={"Authorization": "Bearer " + os.environ["POSTRIDER_API_KEY"]},
    )
    with urllib.request.urlopen(request) as response:
        text = response.read()
        return json.loads(text) if text else None


address = urllib.parse.quote(os.environ["TO"], safe="")
person = call("GET", "/contacts/" + address)
events = call("GET", f"/events/contact/{address}?limit=500")["events"]
emails = call("GET", f"/emails?recipient={address}&limit=100")["data"]
print(json.dumps({"person": person, "events": events, "emails": emails}))

call("DELETE", "/contacts/" + address)
print("erased")
