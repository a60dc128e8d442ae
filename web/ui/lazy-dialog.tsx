import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import { importLazyScript } from '#web/lib/lazy-script.ts';
import { toast } from './toast.ts';

/**
 * Creates a dialog component whose script is loaded when it is first opened. If loading fails, it shows a toast and calls
 * `onClose`; opening the dialog again retries.
 */
export const lazyDialog = <Props extends { onClose: () => void }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> => {
  let loadedDialog: ComponentType<Props> | undefined;
  return function LazyDialog(props: Props) {
    const [Dialog, setDialog] = useState(() => loadedDialog);
    const reportFailure = useEffectEvent((reason: Error) => {
      toast.error(reason.message);
      props.onClose();
    });
    useEffect(() => {
      if (loadedDialog) return;
      let isMounted = true;
      importLazyScript(load).then(
        (dialog) => {
          loadedDialog = dialog;
          if (isMounted) setDialog(() => dialog);
        },
        (reason: Error) => isMounted && reportFailure(reason),
      );
      return () => {
        isMounted = false;
      };
    }, []);
    return Dialog ? <Dialog {...props} /> : null;
  };
};
