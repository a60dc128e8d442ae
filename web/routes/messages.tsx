import { MessagesScreen } from '#web/conversations/messages-screen.tsx';
import { createScreenMeta } from '#web/lib/page-meta.ts';
import { useSession } from '#web/lib/use-session.ts';

export const meta = createScreenMeta('Messages');

export default function Messages() {
  const { user } = useSession();
  return user && <MessagesScreen key={user.id} ownId={user.id} />;
}
