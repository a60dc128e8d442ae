import { useContext, useEffectEvent, useLayoutEffect } from 'react';
import { UNSAFE_DataRouterContext } from 'react-router';
import { registerOverlay, startOverlayHistory } from './overlay-history.ts';

/** Closes an overlay, such as a dialog or menu, when the person presses Back, without leaving the page. */
export const useCloseOnBack = (isOpen: boolean, close: () => void): void => {
  const router = useContext(UNSAFE_DataRouterContext)?.router;
  const closeLatest = useEffectEvent(close);
  useLayoutEffect(() => {
    // Component tests have no router, so there is no history to manage.
    if (!isOpen || !router) return;
    startOverlayHistory(router);
    return registerOverlay(() => closeLatest());
  }, [isOpen, router]);
};
