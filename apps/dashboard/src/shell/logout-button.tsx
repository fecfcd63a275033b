import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { failureOf } from '../lib/failure.ts';
import { paths } from '../lib/paths.ts';
import { logout } from '../lib/rest.ts';
import { forgetDrafts } from '../lib/use-draft.ts';
import { useAnnounce } from '../ui/announce.tsx';
import { Button } from '../ui/button.tsx';

export function LogoutButton() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const leave = useMutation({
    mutationFn: logout,
    async onSuccess() {
      await navigate(paths.login);
      queryClient.clear();
      forgetDrafts();
    },
    onError: (error) => announce(failureOf(error).message, 'note'),
  });
  return (
    <Button kind="quiet" small icon="leave" pending={leave.isPending} onClick={() => leave.mutate()}>
      Log out
    </Button>
  );
}
