"""Goes through the cases of the fault server with the synchronous or the asynchronous client, and prints the outcomes of each."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, List

import anyio
import httpx

from postrider import (
    ApiConnectionError,
    ApiError,
    ApiTimeoutError,
    AsyncPostrider,
    BatchResult,
    Postrider,
    PostriderError,
    SendResult,
    TrackResult,
)

url, program = sys.argv[1:]
cases: List[Dict[str, Any]] = httpx.get(f"{url}/cases").json()


def options_of(number: int, case: Dict[str, Any]) -> Dict[str, Any]:
    return {
        "api_key": "sk_test",
        "base_url": f"{url}/{program}/{number}",
        **({"timeout": case["timeoutMs"] / 1000} if "timeoutMs" in case else {}),
        **({"max_retries": case["maxRetries"]} if "maxRetries" in case else {}),
    }


def perform(client: Any, operation: str, call: Dict[str, Any]) -> Any:
    """Calls a client of either kind: the result of the asynchronous one is to be awaited."""
    options = {"idempotency_key": call["key"]} if "key" in call else {}
    subject = call.get("subject", "Hello")
    email = {"to": "reader@example.com", "from": "hello@example.com", "subject": subject, "body": "<p>Hello</p>"}
    if operation == "track":
        return client.track({"email": email["to"], "event": "signed_up"}, **options)
    if operation == "send":
        return client.send(email, **options)
    emails = [{**email, "subject": f"{subject} {index}"} for index in range(call["items"])]
    return client.send_batch(emails, **options)


def outcome_of(result: Any) -> Dict[str, Any]:
    if isinstance(result, TrackResult):
        ids = [] if result.event is None else [result.event]
    elif isinstance(result, SendResult):
        ids = [each["email"] for each in result.emails]
    else:
        assert isinstance(result, BatchResult)
        assert [each["index"] for each in result.results] == list(range(len(result.results)))
        assert result.accepted == len(result.results)
        ids = [email["email"] for each in result.results if each["status"] == "ACCEPTED" for email in each["emails"]]
    return {"emails": len(ids), "ids": ids, "repeated": result.repeated, "answerLost": result.answer_lost}


def error_of(error: PostriderError) -> Dict[str, Any]:
    if isinstance(error, ApiError):
        return {"error": error.code}
    if isinstance(error, ApiTimeoutError):
        return {"error": "TIMEOUT"}
    if isinstance(error, ApiConnectionError):
        return {"error": "CONNECTION"}
    raise error


def go_through(number: int, case: Dict[str, Any]) -> List[Dict[str, Any]]:
    with Postrider(**options_of(number, case)) as client:

        def call(each: Dict[str, Any]) -> Dict[str, Any]:
            try:
                return outcome_of(perform(client, case["operation"], each))
            except PostriderError as error:
                return error_of(error)

        return in_threads(call, case["calls"]) if case.get("atOnce") else [call(each) for each in case["calls"]]


def in_threads(work: Callable[..., Any], *inputs: Any) -> List[Any]:
    with ThreadPoolExecutor(len(inputs[0])) as pool:
        return list(pool.map(work, *inputs))


async def go_through_async() -> List[List[Dict[str, Any]]]:
    outcomes: List[List[Dict[str, Any]]] = [[{} for _ in case["calls"]] for case in cases]

    async def run(number: int, case: Dict[str, Any]) -> None:
        async with AsyncPostrider(**options_of(number, case)) as client:

            async def call(place: int, each: Dict[str, Any]) -> None:
                try:
                    outcomes[number][place] = outcome_of(await perform(client, case["operation"], each))
                except PostriderError as error:
                    outcomes[number][place] = error_of(error)

            if case.get("atOnce"):
                async with anyio.create_task_group() as group:
                    for place, each in enumerate(case["calls"]):
                        group.start_soon(call, place, each)
            else:
                for place, each in enumerate(case["calls"]):
                    await call(place, each)

    async with anyio.create_task_group() as all_cases:
        for number, case in enumerate(cases):
            all_cases.start_soon(run, number, case)
    return outcomes


if program == "python-async":
    print(json.dumps(anyio.run(go_through_async)))
else:
    print(json.dumps(in_threads(go_through, range(len(cases)), cases)))
