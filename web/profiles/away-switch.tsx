import { useState } from 'react';
import { formatReturnDay } from '#contract/away.ts';
import { toCampusDay } from '#contract/campus.ts';
import { ApiError } from '#web/lib/api.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Button } from '#web/ui/button.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { toast } from '#web/ui/toast.ts';
import { saveAway, useOwnProfile } from './own-profile.ts';

const AwayDialog = lazyDialog(async () => (await import('./away-dialog.tsx')).AwayDialog);

/** Hides the person's listings until a day that they choose, and shows them again with one tap. */
export function AwaySwitch() {
  const campus = useCampus();
  const today = toCampusDay(campus, new Date());
  const { profile, failed } = useOwnProfile();
  const [isChoosing, setIsChoosing] = useState(false);
  const [isEnding, setIsEnding] = useState(false);
  if (!profile) return failed ? null : <Skeleton className="h-11 w-full" />;

  const { away_until: awayUntil } = profile;
  const until = awayUntil !== null && awayUntil > today ? awayUntil : null;
  const leave = async (day: string): Promise<void> => {
    await saveAway(profile.id, day);
    toast.success(`You’re away until ${formatReturnDay(day, campus)}`);
  };
  const end = async (): Promise<void> => {
    setIsEnding(true);
    try {
      await saveAway(profile.id, null);
      toast.success('Your listings are shown again');
    } catch (error) {
      toast.error('That did not work', error instanceof ApiError ? error.message : undefined);
    }
    setIsEnding(false);
  };
  return (
    <>
      <Switch
        label={until && !isEnding ? `Away until ${formatReturnDay(until, campus)}` : 'Away'}
        hint={until ? 'Your listings are hidden until then.' : 'Hides your listings while you’re gone.'}
        checked={until !== null && !isEnding}
        aria-busy={isEnding}
        onChange={() => {
          if (isEnding) return;
          if (until) void end();
          else setIsChoosing(true);
        }}
      />
      {until && !isEnding && (
        <Button variant="link" size="sm" onClick={() => setIsChoosing(true)}>
          Change the day
        </Button>
      )}
      {isChoosing && (
        <AwayDialog
          ownId={profile.id}
          today={today}
          until={until}
          onChoose={leave}
          onClose={() => setIsChoosing(false)}
        />
      )}
    </>
  );
}
