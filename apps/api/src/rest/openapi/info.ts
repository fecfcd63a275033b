/** The introduction of the API document: what is not about a single endpoint. */
export const description = `Send email, record events, and manage contacts, templates, campaigns and workflows of a project.

## Authentication

Requests carry a key of the project: \`Authorization: Bearer sk_…\`. The secret key and named keys with a scope belong on servers. The public key, \`pk_…\`, may be in a browser: it records events with \`POST /v1/track\` and nothing else. The dashboard uses sessions: a cookie, and the header \`X-Project-Id\`. A request without a valid credential is 401, one that its credential does not allow is 403.

## Pagination

Lists answer a page: records, newest first unless sorted otherwise, and where more follow a \`cursor\`. Send it back as the parameter \`cursor\` to get the next page; it is null or absent on the last one. A cursor belongs to the filters and the order it came with. Some lists have numbered pages, with \`page\` and \`totalPages\`. \`limit\` is brought into its range instead of being refused.

## Idempotency

\`POST /v1/send\`, \`POST /v1/track\` and \`POST /events/track\` take the header \`Idempotency-Key\`: a text of your choice, one per email or event, such as the number of an order. A key that was used by a successful request within 24 hours is refused with 409 \`IDEMPOTENCY_KEY_REUSED\`, and nothing is sent again. A refused request does not use its key up.

## Retries

Repeat a request after a broken connection, a timeout, 429, 500, 502, 503 and 504, with growing pauses and the same \`Idempotency-Key\`. All other refusals stay the same until the request changes. After 409 \`IDEMPOTENCY_KEY_REUSED\` the first attempt was accepted: nothing is left to do.

## Rate limits

Keys of one kind share a window of a minute; replies have \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`. Beyond it a request is 429 \`RATE_LIMIT_EXCEEDED\`, and \`Retry-After\` says how many seconds to wait.

## Errors

A refused request has \`success: false\` and \`error\`: \`code\` for programs, \`message\` and \`suggestion\` for people, \`requestId\` for the log, and on 422 \`errors\` with one item for each field that is wrong. Fields and parameters that an endpoint does not describe are refused too. A few endpoints answer a missing field with the flat body \`{"error": "email is required"}\`.

## Webhooks

Endpoints receive events as POST requests signed by Standard Webhooks: \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\`, an HMAC-SHA256 of \`id.timestamp.body\` with the secret of the endpoint. Verify the body as it arrived, before a JSON parser, and handle each \`webhook-id\` once: a delivery may come again. Any 2xx within 15 seconds accepts it. The schema \`WebhookEvent\` has the payload of every type, told apart by \`kind\`; treat a \`kind\` that you do not know as accepted. \`GET /openapi.json?webhooks=true\` lists them in the section \`webhooks\`, which some generators cannot read.

## Testing

\`Dry-Run: true\` on a request that changes something carries it out and undoes it: the same checks and the same reply, while nothing is stored, sent or signalled. In GraphQL it counts for all mutations of the request.

\`GET /config\` names the sandbox sender, which can write to members of the project without a domain of your own. A local installation, \`npm start\`, delivers everything into a mailbox on the same machine. \`POST /campaigns/{id}/test\` and \`POST /workflows/{id}/test\` try a campaign or a workflow without its audience.

## Unsubscribing

Email of type MARKETING, and every email of a campaign, carries \`List-Unsubscribe\` and \`List-Unsubscribe-Post\` (RFC 8058) and a link to preferences.
`;
