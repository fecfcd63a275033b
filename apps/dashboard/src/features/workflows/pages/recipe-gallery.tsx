import { type Recipe, type RecipeId, recipes } from '@postrider/core/automation/workflows/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useApi } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { useSender } from '../../settings/domains/use-sender.ts';
import { useRefreshWorkflows } from '../canvas/use-refresh-workflows.ts';
import styles from './recipe-gallery.module.css';
import { RecipePicture } from './recipe-picture.tsx';

const entries = Object.entries(recipes) as [RecipeId, Recipe][];

/** The built-in recipes, each with a picture of its steps. */
export function RecipeGallery() {
  const [chosen, setChosen] = useState<RecipeId | null>(null);
  return (
    <>
      <ul className={styles.recipes}>
        {entries.map(([id, recipe]) => (
          <li key={id}>
            <button type="button" className={styles.recipe} onClick={() => setChosen(id)}>
              <span className={styles.stage}>
                <RecipePicture recipe={recipe} />
              </span>
              <span className={styles.name}>{recipe.name}</span>
              <span className={styles.text}>{recipe.description}</span>
            </button>
          </li>
        ))}
      </ul>
      {chosen && <CreateDialog id={chosen} onClose={() => setChosen(null)} />}
    </>
  );
}

function CreateDialog({ id, onClose }: { id: RecipeId; onClose: () => void }) {
  const recipe: Recipe = recipes[id];
  const to = useProjectPath();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const refresh = useRefreshWorkflows();
  const { address, isKnown } = useSender();
  const create = useMutation({
    ...useApi().workflows.createFromRecipe.mutationOptions(),
    async onSuccess(workflow) {
      await refresh();
      await navigate(to(`workflows/${workflow.id}`));
      announce('Workflow created. Edit its emails before you enable it');
    },
  });
  const failure = useFailure(create.error);
  return (
    <Dialog title={recipe.name} onClose={onClose}>
      <p>
        {recipe.description} {recipe.needs}
      </p>
      {isKnown ? (
        <Form
          label={recipe.name}
          failure={failure}
          onSubmit={({ name = '', from = '' }) => create.mutate({ recipe: id, name, from })}
        >
          <TextField name="name" label="Workflow name" defaultValue={recipe.name} maxLength={100} required />
          <TextField
            name="from"
            label="From"
            type="email"
            defaultValue={address}
            required
            hint="The sender of its emails. They are created as templates that you can edit."
          />
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button kind="primary" type="submit" pending={create.isPending}>
              Create workflow
            </Button>
          </DialogActions>
        </Form>
      ) : (
        <Skeleton lines={3} label="Loading the form" />
      )}
    </Dialog>
  );
}
