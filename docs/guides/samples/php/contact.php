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

$to = getenv('TO');
$externalId = "user-$to"; // the id of this person in your own database

$contact = call('POST', '/contacts', ['email' => $to, 'externalId' => $externalId, 'data' => ['plan' => 'free']]);
echo $contact['_meta']['isNew'] ? "created\n" : "updated\n";

$path = '/contacts/' . rawurlencode("ext:$externalId");
call('PATCH', $path, ['data' => ['plan' => 'pro']]);

$found = call('GET', $path);
echo "{$found['email']} {$found['data']['plan']} ", $found['subscribed'] ? 'true' : 'false', "\n";
