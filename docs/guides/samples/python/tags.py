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
call("POST", "/v1/send", {
    "to": to,
    "from": "Demo <hello@mail.demo.example>",
    "subject": "Receipt for order 1001",
    "body": "<p>Thank you for your order.</p>",
    "tags": ["receipt"],
    "metadata": {"orderId": 1001},
})

query = urllib.parse.urlencode({"recipient": to, "tag": "receipt", "metadata": "orderId:1001"})
for email in call("GET", "/emails?" + query)["data"]:
    print(email["id"], email["tags"], email["metadata"])
