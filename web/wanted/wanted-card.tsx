import { Flag } from 'lucide-react';
import { Link } from 'react-router';
import type { WantedPost } from '#contract/wanted.ts';
import { links } from '#web/lib/links.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { VerifiedBadge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { WantedFacts } from './wanted-facts.tsx';

export interface WantedCardProps {
  post: WantedPost;
  isOwn: boolean;
  onAnswer: () => void;
  onReport: () => void;
}

export function WantedCard({ post, isOwn, onAnswer, onReport }: WantedCardProps) {
  const { user } = post;
  return (
    <Card padded className="flex flex-col gap-2">
      <h3 dir="auto" className="wrap-anywhere font-extrabold">
        {post.title}
      </h3>
      <WantedFacts post={post} />
      <Link
        to={links.user(user.id)}
        className="flex min-h-11 min-w-0 items-center gap-2 text-sm hover:underline"
      >
        <Avatar name={user.name} src={user.avatar_url} size="xs" />
        <span dir="auto" className="truncate">
          {user.name}
        </span>
        {user.usc_verified && <VerifiedBadge compact />}
      </Link>
      <div className="mt-auto flex items-center justify-between gap-2">
        {isOwn ? (
          <Button variant="secondary" size="sm" asChild>
            <Link to={links.editWanted(post.id)}>Edit</Link>
          </Button>
        ) : (
          <>
            <Button size="sm" onClick={onAnswer}>
              <span>I have this</span>
              <span className="sr-only">{`: ${post.title}`}</span>
            </Button>
            <IconButton label="Report this post" onClick={onReport}>
              <Flag aria-hidden="true" />
            </IconButton>
          </>
        )}
      </div>
    </Card>
  );
}
