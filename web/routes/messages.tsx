import { MessagesScreen } from '#web/conversations/messages-screen.tsx';
import { screenMeta } from '#web/lib/page-meta.ts';
import { useSession } from '#web/lib/use-session.ts';

export const meta = screenMeta('Messages');

export default function Messages() {
  const { user } = useSession();
  return user && <MessagesScreen key={user.id} ownId={user.id} />;
}
