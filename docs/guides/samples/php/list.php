<?php

function call(string $method, string $path, ?array $body = null): array
{
    $curl = curl_init(getenv('POSTRIDER_URL') . $path);
    curl_setopt_array($curl, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_POSTFIELDS => $body === null ? null : json_encode($body),
        CURLOPT_HTTPHEADER => [
            'Authorization: Bearer ' . getenv('POSTRIDER_API_KEY'),
            'Content-Type: application/json',
        ],
        CURLOPT_RETURNTRANSFER => true,
    ]);
    $text = curl_exec($curl);
    if ($text === false) {
        throw new RuntimeException(curl_error($curl));
    }
    $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    if ($status >= 400) {
        throw new RuntimeException($text, $status);
    }
    return $text === '' ? [] : json_decode($text, true);
}

/** The records of a cursor list, page after page. */
function pages(string $path, array $query): Generator
{
    do {
        $page = call('GET', $path . '?' . http_build_query($query));
        yield from $page['data'];
        $query['cursor'] = $page['cursor'];
    } while ($page['cursor'] !== null);
}

foreach (pages('/contacts', ['subscribed' => 'false', 'limit' => 100]) as $contact) {
    echo $contact['email'], "\n";
}
