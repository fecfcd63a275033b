import { samplePage } from '@postrider/core/mail/forms';
import { credentialOf } from '../access/access-of.ts';
import { gate } from '../access/gate.ts';
import type { RestDoor } from '../rest/door.ts';
import { contextOf } from '../rest/mount.ts';
import { queryNames, refuseUnknown } from '../rest/refuse-unknown.ts';
import { lookOf } from './look.ts';
import { sendPage } from './page.ts';
import { pageOfSample } from './sample-pages.ts';

interface Route {
  Params: { page: string };
  Querystring: Record<string, unknown>;
}

/** The pages of recipients for the people of the project, who see them before anyone else does (behaviour B12.7). */
export function mountSamples({ app, services, endpoints }: RestDoor): void {
  const path = '/consent/pages/:page';
  const { permission, errors, input } = samplePage;
  const credential = credentialOf(samplePage);
  endpoints.push({
    method: 'GET',
    path,
    name: 'consent.page',
    summary: 'A page of recipients as a person sees it who does not exist',
    credential,
    input,
    from: 'query',
    changes: false,
    errors,
    statuses: [200],
    envelope: 'none',
    flat: false,
    idempotent: false,
    dryRun: false,
    risk: null,
    produces: 'text/html',
  });
  app.route<Route>({
    method: 'GET',
    url: path,
    onRequest: gate(services, { credential, permission, needsProject: true, changes: false }),
    async handler(request, reply) {
      refuseUnknown(queryNames(request.query), ['language', 'formId']);
      const sample = await samplePage.runRaw(contextOf(request), { ...request.query, ...request.params });
      return sendPage(reply, pageOfSample(sample, lookOf(services, sample.project)));
    },
  });
}
