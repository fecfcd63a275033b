import { mailLanguage } from '@postrider/core/base/kernel/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useAccountApi } from '../../../lib/api.ts';
import { useUser } from '../../../lib/current.ts';
import { failureOf } from '../../../lib/failure.ts';
import { languageName, languages } from '../../../lib/languages.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { Form, FormActions } from '../../../ui/form.tsx';

/** The language of emails from the platform to the user. */
export function LanguageForm() {
  const api = useAccountApi();
  const user = useUser();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const update = useMutation(
    api.users.updateMe.mutationOptions({
      async onSuccess() {
        await queryClient.invalidateQueries(api.users.me.queryFilter());
        announce('Language saved');
      },
    }),
  );
  return (
    <Form
      label="Language"
      failure={update.error ? failureOf(update.error) : null}
      onSubmit={({ language }) => update.mutate({ language: mailLanguage.parse(language) })}
    >
      <SelectField
        name="language"
        label="Language of emails"
        defaultValue={user.language}
        hint="Emails about your account and your projects are written in it."
      >
        {languages.map((code) => (
          <option key={code} value={code}>
            {languageName(code)}
          </option>
        ))}
      </SelectField>
      <FormActions>
        <Button kind="primary" type="submit" pending={update.isPending}>
          Save
        </Button>
      </FormActions>
    </Form>
  );
}
