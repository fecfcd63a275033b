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


to = os.environ["TO"]
external_id = "user-" + to  # the id of this person in your own database

contact = call("POST", "/contacts", {"email": to, "externalId": external_id, "data": {"plan": "free"}})
print("created" if contact["_meta"]["isNew"] else "updated")

path = "/contacts/" + urllib.parse.quote("ext:" + external_id, safe="")
call("PATCH", path, {"data": {"plan": "pro"}})

found = call("GET", path)
print(found["email"], found["data"]["plan"], found["subscribed"])
