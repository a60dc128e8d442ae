import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import { lazyScript } from '#web/lib/lazy-script.ts';
import { toast } from './toast.ts';

/**
 * A dialog whose script is loaded when it is first opened. If loading fails, a toast says so and the dialog closes;
 * opening it again retries.
 */
export const lazyDialog = <Props extends { onClose: () => void }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> => {
  let fetched: ComponentType<Props> | undefined;
  return function LateDialog(props: Props) {
    const [Dialog, setDialog] = useState(() => fetched);
    const giveUp = useEffectEvent((reason: Error) => {
      toast.error(reason.message);
      props.onClose();
    });
    useEffect(() => {
      if (fetched) return;
      let open = true;
      lazyScript(load).then(
        (dialog) => {
          fetched = dialog;
          if (open) setDialog(() => dialog);
        },
        (reason: Error) => open && giveUp(reason),
      );
      return () => {
        open = false;
      };
    }, []);
    return Dialog ? <Dialog {...props} /> : null;
  };
};
