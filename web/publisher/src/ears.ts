// Elements that the page listens to presses and keys on, as far as a driver told.

export interface Ears {
  press: boolean;
  keys: boolean;
}

export const ears = new WeakMap<Element, Ears>();

/** Whether the page listens to presses on an element, as far as we were told. */
export const hearsPress = (element: Element): boolean => ears.get(element)?.press === true;
/** Whether it listens to keys. */
export const hearsKeys = (element: Element): boolean => ears.get(element)?.keys === true;
