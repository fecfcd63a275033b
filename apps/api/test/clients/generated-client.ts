/** Calls three endpoints through types generated from `/openapi.json`, and prints their responses. */
import createClient from 'openapi-fetch';
import type { paths } from './api.d.ts';

const [baseUrl = '', key = '', projectId = '', segmentId = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });

const csv = new Blob(['email\nfrom-typescript@example.com\n'], { type: 'text/csv' });
const imported = await client.POST('/contacts/import', {
  body: { file: csv, subscribed: 'true' },
  bodySerializer: ({ file, subscribed = 'true' }) => {
    const form = new FormData();
    if (file) form.append('file', file, 'contacts.csv');
    form.append('subscribed', subscribed);
    return form;
  },
});
const removed = await client.DELETE('/segments/{id}/members', {
  params: { path: { id: segmentId } },
  body: { emails: ['typescript@example.com'] },
});
const listed = await client.GET('/domains/project/{projectId}', { params: { path: { projectId } } });

const failure = imported.error ?? removed.error ?? listed.error;
if (failure) throw new Error(JSON.stringify(failure));
const jobId: string | undefined = imported.data?.jobId;
const count: number | undefined = removed.data?.removed;
const domains: string[] | undefined = listed.data?.map(({ domain }) => domain);
console.log(JSON.stringify({ jobId, removed: count, domains }));
