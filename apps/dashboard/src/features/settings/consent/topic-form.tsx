import { type Texts, topicDefault } from '@postrider/core/audience/topics/contract';
import { mailLanguage } from '@postrider/core/base/kernel/contract';
import { selectLanguage } from '@postrider/core/base/lib/contract';
import { useState } from 'react';
import type { Topic } from '../../../lib/api.ts';
import { useProject } from '../../../lib/current.ts';
import type { Failure } from '../../../lib/failure.ts';
import { languageName, languages } from '../../../lib/languages.ts';
import { Button } from '../../../ui/button.tsx';
import { ChoiceField } from '../../../ui/choice-field.tsx';
import { DialogActions } from '../../../ui/dialog.tsx';
import { CheckField, SelectField, TextField } from '../../../ui/field.tsx';
import { FieldRow, Form } from '../../../ui/form.tsx';
import { isGeneral } from '../../common/topics/topic-words.rules.ts';
import { languagesOf, type MailLanguage, textsIn } from './topic-texts.rules.ts';

export interface TopicFields {
  key: string;
  name: Texts;
  description: Texts | null;
  default: Topic['default'];
  visibility: Topic['visibility'];
}

interface TopicFormProps {
  label: string;
  /** Absent for a new topic. */
  topic?: Topic;
  failure: Failure | null;
  /** The label of the submitting button. */
  action: string;
  pending: boolean;
  onSubmit: (fields: TopicFields) => void;
  onClose: () => void;
}

const defaults = [
  {
    value: 'IN',
    label: 'Every subscribed contact, until it says no',
    note: 'For what people expect when they subscribe.',
  },
  {
    value: 'OUT',
    label: 'Only contacts who chose it',
    note: 'For what people have to ask for. It cannot become the other later.',
  },
] as const;

/** The texts, default and visibility of a topic. Of `general`, only the texts can be changed. */
export function TopicForm(props: TopicFormProps) {
  const { label, topic, failure, action, pending, onSubmit, onClose } = props;
  const project = useProject();
  const [shown, setShown] = useState<readonly MailLanguage[]>(() =>
    languagesOf(topic ? [topic.name, topic.description] : [], selectLanguage(project.language)),
  );
  const [receives, setReceives] = useState<Topic['default']>(topic?.default ?? 'OUT');
  const isFixed = topic !== undefined && isGeneral(topic);
  const others = languages.filter((language) => !shown.includes(language));
  return (
    <Form
      label={label}
      failure={failure}
      onSubmit={(values) => {
        const description = textsIn(values, 'description');
        onSubmit({
          key: topic?.key ?? values.key ?? '',
          name: textsIn(values, 'name'),
          description: Object.keys(description).length === 0 ? null : description,
          default: receives,
          visibility: isFixed || values.visibility !== undefined ? 'PUBLIC' : 'PRIVATE',
        });
      }}
    >
      {shown.map((language, index) => (
        <FieldRow key={language}>
          <TextField
            name={`name.${language}`}
            label={`Name in ${languageName(language)}`}
            defaultValue={topic?.name[language] ?? ''}
            maxLength={60}
            required={shown.length === 1}
            autoFocus={index === 0}
          />
          <TextField
            name={`description.${language}`}
            label={`Description in ${languageName(language)}`}
            defaultValue={topic?.description?.[language] ?? ''}
            maxLength={200}
          />
        </FieldRow>
      ))}
      {others.length > 0 && (
        <SelectField
          key={shown.length}
          name="language"
          label="Add a language"
          defaultValue=""
          hint="Recipients read it in their language, else in that of the project."
          onChange={({ target }) => {
            const added = mailLanguage.safeParse(target.value);
            if (added.success) setShown((now) => [...now, added.data]);
          }}
        >
          <option value="">Choose a language</option>
          {others.map((language) => (
            <option key={language} value={language}>
              {languageName(language)}
            </option>
          ))}
        </SelectField>
      )}
      {!topic && (
        <TextField
          name="key"
          label="Key"
          placeholder="product-news"
          hint="How programs name the topic: a–z, 0–9, _ and -. It cannot be changed later."
          pattern="[a-z0-9][a-z0-9_\-]{0,49}"
          maxLength={50}
          spellCheck={false}
          autoCapitalize="off"
          required
        />
      )}
      {!isFixed && (
        <>
          {topic?.default === 'OUT' ? null : (
            <ChoiceField
              name="default"
              label="Who receives it"
              options={defaults}
              value={receives}
              onChange={(value) => setReceives(topicDefault.parse(value))}
            />
          )}
          <CheckField
            name="visibility"
            label="Recipients can choose it"
            hint="On the preference page and in sign-up forms. Otherwise only you and your programs set it."
            defaultChecked={topic ? topic.visibility === 'PUBLIC' : true}
          />
        </>
      )}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" pending={pending}>
          {action}
        </Button>
      </DialogActions>
    </Form>
  );
}
