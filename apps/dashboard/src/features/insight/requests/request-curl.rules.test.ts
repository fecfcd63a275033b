import { expect, it } from 'vitest';
import { requestCurl } from './request-curl.rules.ts';

const to = { apiUrl: 'https://mail.example.com', key: '$KEY' };

it('has the path and the query of a read', () => {
  const entry = {
    door: 'REST',
    method: 'GET',
    path: '/contacts/:id',
    request: { id: 'abc', limit: '5' },
  } as const;
  expect(requestCurl(entry, to)).toBe(
    ['curl -s "https://mail.example.com/contacts/abc?limit=5" \\', '  -H "Authorization: Bearer $KEY"'].join(
      '\n',
    ),
  );
});

it('asks for what the log does not keep', () => {
  const entry = {
    door: 'REST',
    method: 'PATCH',
    path: '/templates/:id',
    request: {
      subject: { length: 12 },
      data: { age: { type: 'number' } },
      attachments: [{ size: 3, type: 'image/png' }],
      tracking: false,
      text: null,
    },
  } as const;
  const command = requestCurl(entry, to) ?? '';
  expect(command).toContain('-X PATCH');
  expect(command).toContain('/templates/<id>');
  expect(JSON.parse(/-d '([^']+)'/.exec(command)?.[1] ?? '')).toEqual({
    subject: '<text of 12 characters>',
    data: { age: '<number>' },
    attachments: [{ filename: '<name>', content: '<base64>', contentType: 'image/png' }],
    tracking: false,
  });
});

it('is not offered where the form of the request is unknown', () => {
  for (const door of ['GRAPHQL', 'SMTP'] as const)
    expect(requestCurl({ door, method: 'POST', path: '/graphql', request: null }, to)).toBeNull();
});

it('leaves nothing to the shell, whatever a request is called', () => {
  const entry = { door: 'REST', method: 'POST', path: '/x', request: { "a'b": "'; rm -rf /" } } as const;
  expect(requestCurl(entry, to)).toContain("'\\''");
  const query = { door: 'REST', method: 'GET', path: '/x', request: { a: '$(rm) `rm` "' } } as const;
  expect(requestCurl(query, to)).not.toMatch(/\$\(|`rm/);
});
