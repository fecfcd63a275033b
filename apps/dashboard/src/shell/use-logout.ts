import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { failureOf } from '../lib/failure.ts';
import { forgetUser } from '../lib/forget-user.ts';
import { paths } from '../lib/paths.ts';
import { logout } from '../lib/rest.ts';
import { useAnnounce } from '../ui/announce.tsx';

/** Ends the session, and forgets in this browser what the next user must not find. */
export function useLogout(): { leave: () => void; pending: boolean } {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const leaving = useMutation({
    mutationFn: logout,
    async onSuccess() {
      await navigate(paths.login);
      forgetUser(queryClient);
    },
    onError: (error) => announce(failureOf(error).message, 'note'),
  });
  return { leave: () => leaving.mutate(), pending: leaving.isPending };
}
