import json
import os
import urllib.error
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


receipt = {
    "name": "Receipt",
    "type": "TRANSACTIONAL",
    "from": "Demo <hello@mail.demo.example>",
    "subject": "Receipt for order {{order}}",
    "body": "<p>Hello {{name ?? there}},</p><p>You paid {{total}} for order {{order}}.</p>",
}

try:
    call("PATCH", "/templates/receipt", receipt)
    print("updated")
except urllib.error.HTTPError as error:
    if error.code != 404:
        raise
    call("POST", "/templates", {"alias": "receipt", **receipt})
    print("created")
