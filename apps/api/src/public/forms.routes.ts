import { AppError, type FieldError } from '@postrider/core/base/kernel';
import { acceptedLanguages, type MailLanguage } from '@postrider/core/base/lib';
import { challengeForm, type ShownForm, showForm, submitForm } from '@postrider/core/mail/forms';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { envelopeFor } from '../errors/envelope.ts';
import { smallBodyLimit } from '../plugins/body-limits.ts';
import { answerFailure } from '../plugins/failures.ts';
import { basePathOf } from '../plugins/links-host.ts';
import { readerContext } from './context.ts';
import type { PublicDoor } from './door.ts';
import {
  type Filled,
  type FormPlace,
  formNote,
  formPage,
  mistakeInWords,
  receivedPage,
  waitPage,
} from './form-pages.ts';
import { formScript } from './form-script.ts';
import { lookOf } from './look.ts';
import { languageOf, notePage } from './note-pages.ts';
import { sendPage } from './page.ts';

interface Route {
  Params: { id: string };
  Querystring: Record<string, string | string[] | undefined>;
}
type Request = FastifyRequest<Route>;
type Submitted = Awaited<ReturnType<typeof submitForm.run>>;

const formIdInput = z.object({ id: z.guid().meta({ description: 'Id of the form.' }) });
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const scriptEnd = '.js';
/** How long browsers use a script without asking, in seconds. */
const scriptSeconds = 3_600;

/** Sign-up forms (behaviour B12.6): a page, a frame, a script, and what they send to. Without a key, cookies and the project's rate limit. */
export function mountForms(
  { scope, services, tell }: PublicDoor,
  envelope: ReturnType<typeof envelopeFor>,
): void {
  const placeOf = (request: Request, form: ShownForm, isFramed = false): FormPlace => ({
    look: lookOf(services, form.project),
    action: `${basePathOf(request, services.config)}/f/${form.id}`,
    isFramed,
  });

  const find = async (request: Request): Promise<ShownForm | null> => {
    const { id } = request.params;
    if (!uuid.test(id)) return null;
    return showForm.run(readerContext(services, request), { id, languages: languagesOf(request) });
  };

  const unknown = (request: Request, reply: FastifyReply) =>
    sendPage(reply, notePage(404, 'notFound', languageOf(request)));

  tell('GET', '/f/:id', {
    name: showForm.name,
    summary: 'Page with a sign-up form; `lang` chooses its language. 410 for one that takes no sign-ups.',
    statuses: [200, 404, 410],
    input: formIdInput,
  });
  scope.get<Route>('/f/:id', async (request, reply) => {
    const { id } = request.params;
    if (id.endsWith(scriptEnd) && uuid.test(id.slice(0, -scriptEnd.length))) return sendScript(reply);
    const form = await find(request);
    if (!form) return unknown(request, reply);
    const place = placeOf(request, form);
    return sendPage(
      reply,
      form.isOpen ? formPage(form, place) : formNote('closed', form.language, place.look),
    );
  });

  tell('GET', '/f/:id/embed', {
    name: 'forms.embed',
    summary: 'The same page for a frame of the pages that the form names.',
    statuses: [200, 403, 404, 410],
    input: formIdInput,
  });
  scope.get<Route>('/f/:id/embed', async (request, reply) => {
    const form = await find(request);
    if (!form) return unknown(request, reply);
    const place = placeOf(request, form, true);
    if (!form.isOpen) return sendPage(reply, formNote('closed', form.language, place.look, form));
    if (form.origins.length === 0) return sendPage(reply, formNote('refused', form.language, place.look));
    return sendPage(reply, formPage(form, place));
  });

  tell('GET', '/f/:id/challenge', {
    name: challengeForm.name,
    summary:
      'The signed time, and the work that a guarded form asks for: `{token, work: {salt, bits} | null}`.',
    statuses: [200, 404, 410],
    produces: 'application/json',
    input: formIdInput,
  });
  scope.get<Route>('/f/:id/challenge', async (request, reply) => {
    const { id } = request.params;
    const found = uuid.test(id) ? await challengeForm.run(readerContext(services, request), { id }) : null;
    allowOrigin(request, reply, found?.origins ?? []);
    reply.header('cache-control', 'no-store');
    if (!found?.challenge) return refuse(request, reply, found ? 410 : 404);
    return reply.send(found.challenge);
  });

  // The origins that may send a form as JSON are known to its row alone.
  scope.options<Route>('/f/:id', async (request, reply) => {
    const form = await find(request);
    allowOrigin(request, reply, form?.origins ?? []);
    return reply
      .code(204)
      .header('access-control-allow-methods', 'GET, POST, OPTIONS')
      .header('access-control-allow-headers', 'Content-Type')
      .header('access-control-max-age', '600')
      .send();
  });

  tell('POST', '/f/:id', {
    name: submitForm.name,
    summary:
      'Takes a sign-up: JSON `{email, fields?, topics?, language?, page?, token?, work?, website?}`, or a form with the same names (`topics` repeated, `fields.<key>`). 202 `{status: "received"}`, or for a form a page or the `redirectUrl`; the same for every address.',
    statuses: [200, 202, 303, 403, 404, 410, 422, 429],
    input: formIdInput,
  });
  void scope.register(async (inner) => {
    readJson(inner);
    inner.post<Route>('/f/:id', { bodyLimit: smallBodyLimit }, async (request, reply) => {
      const isJson = /^application\/json\b/i.test(request.headers['content-type'] ?? '');
      try {
        const { id } = request.params;
        const given = isJson ? (request.body as object) : fieldsOf(request.body);
        const submitted: Submitted = uuid.test(id)
          ? await submitForm.runRaw(readerContext(services, request), {
              ...given,
              id,
              languages: languagesOf(request),
              origin: request.headers.origin ?? null,
            })
          : { kind: 'unknown' };
        if (submitted.kind !== 'unknown') allowOrigin(request, reply, submitted.form.origins);
        return isJson ? answerJson(request, reply, submitted) : answerPage(request, reply, submitted);
      } catch (error) {
        if (isJson) return answerFailure(error, request, reply, services.log, envelope);
        if (error instanceof AppError && error.kind === 'invalid')
          return sendPage(reply, notePage(400, 'badChoice', languageOf(request)));
        throw error;
      }
    });
  });

  const answerPage = (request: Request, reply: FastifyReply, submitted: Submitted) => {
    if (submitted.kind === 'unknown') return unknown(request, reply);
    const { form } = submitted;
    const place = placeOf(request, form);
    const filled = filledIn(request.body);
    switch (submitted.kind) {
      case 'received':
        return form.redirectUrl === null
          ? sendPage(reply, receivedPage(form, place.look, filled['email']?.[0] ?? ''))
          : reply.code(303).header('cache-control', 'no-store').header('location', form.redirectUrl).send();
      case 'invalid':
        return sendPage(reply, formPage(form, place, { filled, mistakes: submitted.mistakes }));
      case 'work':
        return sendPage(
          reply,
          waitPage(form, place, { filled, wait: submitted.wait, isEarly: submitted.problem === 'custom' }),
        );
      case 'limited':
        return sendPage(
          reply.header('retry-after', String(submitted.retryAfter)),
          formNote('limited', form.language, place.look, form),
        );
      default:
        return sendPage(reply, formNote(submitted.kind, form.language, place.look, form));
    }
  };

  const answerJson = (request: Request, reply: FastifyReply, submitted: Submitted) => {
    reply.header('cache-control', 'no-store');
    switch (submitted.kind) {
      case 'received':
        return reply.code(202).send({ status: 'received' });
      case 'unknown':
        return refuse(request, reply, 404);
      case 'closed':
        return refuse(request, reply, 410);
      case 'refused':
        throw new AppError('FORBIDDEN', 'The form cannot be sent from this origin', {
          suggestion: 'Add the origin of the page to the origins of the form',
        });
      case 'limited':
        throw new AppError('RATE_LIMIT_EXCEEDED', 'Too many sign-ups', {
          details: { retryAfter: submitted.retryAfter },
        });
      case 'invalid':
        throw invalid(
          Object.entries(submitted.mistakes).map(([field, mistake]) => ({
            field,
            code: codes[mistake] ?? 'custom',
            message: mistakeInWords(submitted.form.language, mistake),
          })),
        );
      case 'work':
        throw invalid([
          {
            field: 'work',
            code: submitted.problem,
            message: 'The form is guarded: get a challenge and do its work',
          },
        ]);
    }
  };

  /** A form that is not there, or takes no sign-ups, for a program. */
  const refuse = (request: Request, reply: FastifyReply, status: 404 | 410) =>
    reply.code(status).send(
      envelope(
        {
          kind: 'not_found',
          status,
          code: 'RESOURCE_NOT_FOUND',
          message: status === 404 ? 'Form not found' : 'The form takes no sign-ups',
          suggestion: 'Check the id of the form, and that it is enabled',
        },
        request.id,
      ),
    );
}

const codes: Record<string, string> = {
  required: 'required',
  email: 'invalid_string',
  domain: 'custom',
  topic: 'required',
  value: 'custom',
};

const invalid = (errors: FieldError[]): AppError =>
  new AppError('VALIDATION_ERROR', 'Request validation failed', { errors });

const sendScript = (reply: FastifyReply) =>
  reply
    .type('text/javascript; charset=utf-8')
    .header('cache-control', `public, max-age=${scriptSeconds}`)
    .header('access-control-allow-origin', '*')
    .header('cross-origin-resource-policy', 'cross-origin')
    .send(formScript);

/** Without origins every page may read the answer, which says nothing about the address. */
function allowOrigin({ headers }: FastifyRequest, reply: FastifyReply, origins: readonly string[]): void {
  reply.header('vary', 'Origin');
  const { origin } = headers;
  if (origin === undefined || (origins.length > 0 && !origins.includes(origin))) return;
  reply.header('access-control-allow-origin', origins.length === 0 ? '*' : origin);
}

/** The address, then what the browser asks for. */
function languagesOf({ query, headers }: Request): MailLanguage[] {
  const { lang } = query;
  const named = acceptedLanguages(typeof lang === 'string' ? lang : undefined);
  return [...new Set([...named, ...acceptedLanguages(headers['accept-language'])])];
}

/** A JSON body; an empty one is an object without fields. */
function readJson(scope: FastifyInstance): void {
  const parse = scope.getDefaultJsonParser('ignore', 'ignore');
  scope.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string', bodyLimit: smallBodyLimit },
    (request, body, done) => {
      if (body.trim() === '') return done(null, {});
      void parse(request, body, (error, value) => {
        const isObject = !error && typeof value === 'object' && value !== null && !Array.isArray(value);
        done(null, isObject ? value : { email: null });
      });
    },
  );
}

/** The fields of a form by the names of JSON; others, such as that of its button, are none. */
function fieldsOf(body: unknown): Record<string, unknown> {
  const filled = filledIn(body);
  const first = (name: string): string | undefined => filled[name]?.[0];
  const fields = Object.entries(filled).flatMap(([name, values]) =>
    name.startsWith('fields.') ? [[name.slice('fields.'.length), values[0]] as const] : [],
  );
  return {
    email: first('email'),
    language: first('language'),
    page: first('page'),
    token: first('token'),
    work: first('work'),
    website: first('website'),
    topics: filled['topics'] ?? [],
    fields: Object.fromEntries(fields),
  };
}

function filledIn(body: unknown): Filled {
  const entries = Object.entries((body ?? {}) as Record<string, string | string[]>);
  return Object.fromEntries(entries.map(([name, value]) => [name, Array.isArray(value) ? value : [value]]));
}
