import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../lib/api.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TopicForm } from './topic-form.tsx';
import { useRefreshTopics } from './use-refresh-topics.ts';

export function CreateTopic() {
  const announce = useAnnounce();
  const refresh = useRefreshTopics();
  const [open, setOpen] = useState(false);
  const create = useMutation({
    ...useApi().topics.create.mutationOptions(),
    async onSuccess() {
      await refresh();
      setOpen(false);
      announce('Topic created');
    },
  });
  const failure = useFailure(create.error);
  return (
    <>
      <Button
        kind="primary"
        icon="plus"
        onClick={() => {
          create.reset();
          setOpen(true);
        }}
      >
        New topic
      </Button>
      {open && (
        <Dialog title="New topic" onClose={() => setOpen(false)} wide>
          <TopicForm
            label="New topic"
            failure={failure}
            action="Create topic"
            pending={create.isPending}
            onSubmit={(fields) => create.mutate(fields)}
            onClose={() => setOpen(false)}
          />
        </Dialog>
      )}
    </>
  );
}
