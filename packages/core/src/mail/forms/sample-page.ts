import { z } from 'zod';
import { readTopics } from '../../audience/topics/index.ts';
import { textIn } from '../../audience/topics/topics.rules.ts';
import { mailLanguage, projectIdOf, query, uuid } from '../../base/kernel/index.ts';
import { selectLanguage } from '../../base/lib/index.ts';
import { showProject } from '../../people/projects/index.ts';
import { shownProject } from '../../people/projects/shown-project.schema.ts';
import { readShown } from './asker.store.ts';
import { formNotFound } from './form-not-found.ts';
import { findPublicForm, type PublicForm, pageOfForms } from './forms.store.ts';
import { recipientPages } from './recipient-pages.rules.ts';
import { presentShownForm, shownForm } from './show-form.ts';

/** The pages that show a form, and are none without one. */
const ofForms: readonly string[] = ['form', 'received'];

/**
 * What a page of recipients shows to a person who does not exist: the look of the project, its public topics, and its newest form or the one
 * that is named. The door makes the page of it, as it does of what a link leads to.
 */
export const samplePage = query({
  name: 'consent.samplePage',
  summary: 'What a page of recipients shows to a person who does not exist',
  permission: 'data:read',
  internal: true,
  errors: ['RESOURCE_NOT_FOUND'],
  input: z.object({
    page: z
      .enum(recipientPages)
      .describe('The page. `form` and `received` need a sign-up form: 404 without one.'),
    language: mailLanguage.optional().describe('Its language. Default: that of the project.'),
    formId: uuid
      .optional()
      .describe('The sign-up form that is shown, or that people came by. Default: the newest.'),
  }),
  output: z.object({
    page: z.enum(recipientPages),
    email: z.string(),
    language: mailLanguage,
    project: shownProject,
    topics: z.array(
      z.object({
        key: z.string(),
        name: z.string(),
        description: z.string().nullable(),
        wanted: z.boolean(),
      }),
    ),
    form: shownForm.nullable(),
  }),
  async handler(ctx, { page, language: asked, formId }) {
    const projectId = projectIdOf(ctx);
    const [project, topics, form] = await Promise.all([
      readShown(ctx.db, projectId),
      readTopics(ctx.db, projectId, { archived: false }),
      formOf(ctx.db, projectId, formId),
    ]);
    if (!form && (formId !== undefined || ofForms.includes(page))) throw formNotFound();
    const language = asked ?? selectLanguage(project.language);
    return {
      page,
      email: 'ann@example.com',
      language,
      project: showProject(project),
      topics: topics.flatMap(({ key, name, description, visibility, default: standard }) =>
        visibility === 'PUBLIC'
          ? {
              key,
              name: textIn(name, language, project.language),
              description: description && textIn(description, language, project.language),
              wanted: standard === 'IN',
            }
          : [],
      ),
      // Nothing can be sent from a page that is only looked at.
      form: form && { ...presentShownForm(ctx.services, form, language), token: '' },
    };
  },
});

async function formOf(
  db: Parameters<typeof findPublicForm>[0],
  projectId: string,
  id: string | undefined,
): Promise<PublicForm | null> {
  const [newest] = id === undefined ? await pageOfForms(db, projectId, { after: null, take: 1 }) : [];
  const found = id ?? newest?.id;
  const form = found === undefined ? null : await findPublicForm(db, found);
  return form?.projectId === projectId && !form.deleted ? form : null;
}
