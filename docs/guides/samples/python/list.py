import json
import os
import urllib.parse
import urllib.request


def call(method, path, body=None, headers={}):
    request = urllib.request.Request(
        os.environ["POSTRIDER_URL"] + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": "Bearer " + os.environ["POSTRIDER_API_KEY"],
            "Content-Type": "application/json",
            **headers,
        },
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def pages(path, **query):
    """The records of a cursor list, page after page."""
    while True:
        page = call("GET", path + "?" + urllib.parse.urlencode(query))
        yield from page["data"]
        if page["cursor"] is None:
            return
        query["cursor"] = page["cursor"]


for contact in pages("/contacts", subscribed="false", limit=100):
    print(contact["email"])
