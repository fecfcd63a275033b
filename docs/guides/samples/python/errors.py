import json
import os
import time
import urllib.error
import urllib.request
import uuid


def send(email, attempts=5):
    """Retries what may succeed, with one key, so that a lost answer never sends twice."""
    request = urllib.request.Request(
        os.environ["POSTRIDER_URL"] + "/v1/send",
        method="POST",
        data=json.dumps(email).encode(),
        headers={
            "Authorization": "Bearer " + os.environ["POSTRIDER_API_KEY"],
            "Content-Type": "application/json",
            "Idempotency-Key": str(uuid.uuid4()),
        },
    )
    for attempt in range(attempts):
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return json.load(response)["data"]
        except urllib.error.HTTPError as error:
            if error.code not in (429, 500, 502, 503, 504) or attempt + 1 == attempts:
                raise
            time.sleep(int(error.headers.get("Retry-After") or 2**attempt))
        except urllib.error.URLError:
            if attempt + 1 == attempts:
                raise
            time.sleep(2**attempt)


try:
    send({
        "to": "nobody",
        "from": "Demo <hello@mail.demo.example>",
        "subject": "Hello",
        "body": "<p>Hello</p>",
    })
except urllib.error.HTTPError as refused:
    error = json.load(refused)["error"]
    if error["code"] == "VALIDATION_ERROR":
        for problem in error["errors"]:
            print(error["code"], problem["field"], problem["code"], problem["message"])
    elif error["code"] == "IDEMPOTENCY_KEY_REUSED":
        print("accepted by an earlier attempt", error["details"]["emails"])
    else:
        print(error["code"], error["message"], error["suggestion"], error["requestId"])
