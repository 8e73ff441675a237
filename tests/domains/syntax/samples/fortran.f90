! Sums and means of vectors
module means
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  type :: series
    real(dp), allocatable :: values(:)
    character(len=20) :: name = 'none'
  end type series
contains
  function mean(s) result(m)
    type(series), intent(in) :: s
    real(dp) :: m
    integer :: i
    m = 0.0_dp
    do i = 1, size(s%values)
      m = m + s%values(i)
    end do
    if (size(s%values) > 0) then
      m = m / size(s%values)
    else
      m = -1.0_dp
    end if
  end function mean

  subroutine show(s)
    type(series), intent(in) :: s
    write (*, *) trim(s%name), mean(s)
  end subroutine show
end module means

program main
  use means, only: series, show
  type(series) :: s
  allocate (s%values(3))
  s%values = [1.0d0, 2.0d0, 4.5d0]
  call show(s)
end program main
