import { assertMayMutate } from '@postrider/core/base/kernel';
import {
  listSourceRefs,
  removeSourceRef,
  setSourceRef,
  sourceRefKey,
} from '@postrider/core/content/source-refs';
import { builder } from './builder.ts';
import { mutationField } from './fields.ts';
import { inputFromZod } from './input-from-zod.ts';
import { connectionField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';

const SourceRef = objectFromZod(listSourceRefs.output.shape.data.element);

connectionField('sourceRefs', listSourceRefs, SourceRef, sourceRefKey);
mutationField('setSourceRef', setSourceRef, SourceRef);

const RemoveInput = inputFromZod(removeSourceRef.input, 'RemoveSourceRefInput');
builder.mutationField('removeSourceRef', (t) =>
  t.string({
    description: `${removeSourceRef.summary}. Returns the id there.`,
    extensions: { operation: removeSourceRef.name },
    args: { input: t.arg({ type: RemoveInput, required: true, description: 'What it is.' }) },
    resolve: async (_root, { input }, { ctx }) => {
      assertMayMutate(ctx.actor);
      await removeSourceRef.runRaw(ctx, input);
      return (input as { sourceId: string }).sourceId;
    },
  }),
);
