-- Every received message has its job from the start, also while much mail comes in: nobody looks for messages without one.
drop index received_messages_waiting;
alter table received_messages drop column waits;
