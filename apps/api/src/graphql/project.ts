import { assertPermission, type ProjectState, projectOf, trackingMode } from '@postrider/core/kernel';
import { builder } from './builder.ts';
import { enumOf } from './enums.ts';

const Project = builder.objectRef<ProjectState>('Project').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    disabled: t.exposeBoolean('disabled'),
    language: t.exposeString('language'),
    tracking: t.field({
      type: enumOf('TrackingMode', trackingMode.options),
      resolve: ({ tracking }) => tracking,
    }),
  }),
});

builder.queryField('project', (t) =>
  t.field({
    type: Project,
    description: 'The project of the API key.',
    resolve: (_root, _args, { ctx }) => {
      assertPermission(ctx.actor, 'project:read');
      return projectOf(ctx);
    },
  }),
);
