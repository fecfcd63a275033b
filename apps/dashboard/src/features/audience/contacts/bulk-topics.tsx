import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../lib/api.ts';
import { plural } from '../../../lib/format.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { choicesIn } from '../../common/topics/topic-choices.rules.ts';
import { TopicChoices } from '../../common/topics/topic-choices.tsx';
import type { BulkChangeProps } from './bulk-change-props.ts';
import { BulkRunning } from './bulk-progress.tsx';
import { bulkInput } from './selection.rules.ts';

const prefix = 'topics.';

/** Choices of topics for many contacts; of a project with more topics than `general`. */
export function BulkTopics({ selection, filter, count, onDone }: BulkChangeProps) {
  const { contacts, topics } = useApi();
  const [open, setOpen] = useState(false);
  const listed = useQuery(topics.list.queryOptions({}));
  const start = useMutation(contacts.bulkTopics.mutationOptions());
  const failure = useFailure(start.error);
  if ((listed.data?.length ?? 0) < 2) return null;
  const close = () => {
    setOpen(false);
    if (start.data) onDone();
    start.reset();
  };
  const title = `Choose topics for ${plural(count, 'contact')}`;
  return (
    <>
      <Button small disabled={count === 0} onClick={() => setOpen(true)}>
        Topics
      </Button>
      {open &&
        (start.data ? (
          <BulkRunning title={title} jobId={start.data.jobId} onClose={close} />
        ) : (
          <Dialog title={title} onClose={close}>
            <Form
              failure={failure}
              onSubmit={(values) =>
                start.mutate({ ...bulkInput(selection, filter), topics: choicesIn(values, prefix) ?? {} })
              }
            >
              <p>
                Choose yes only for contacts who asked for the topic. Who is not subscribed then receives that
                topic alone, and a no that a contact gave stays.
              </p>
              <TopicChoices prefix={prefix} />
              <DialogActions>
                <Button onClick={close}>Cancel</Button>
                <Button kind="primary" type="submit" pending={start.isPending}>
                  Choose topics
                </Button>
              </DialogActions>
            </Form>
          </Dialog>
        ))}
    </>
  );
}
